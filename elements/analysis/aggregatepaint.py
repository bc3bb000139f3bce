from __future__ import annotations

from clickbpf.args import Bool, Integer, Keyword, Optional
from clickbpf.vocabulary.element import Element


class AggregatePaint(Element):
    """sets the aggregate annotation to packets' colour

    Synopsis: `AggregatePaint([BITS, INCREMENTAL ...])`

    Arguments:

      - BITS: Integer, 1 to 8. Take this number of low bits of the annotation PAINT. Default is 8.
      - INCREMENTAL: Boolean. Shift the old aggregate up by BITS bits, and add these bits. Default is false.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> Paint(5) -> AggregatePaint(2) -> AggregateCounter -> Discard;
    """

    args = (Optional("BITS", Integer(low=1, high=8), 8), Keyword("INCREMENTAL", Bool(), False))
    annotations = ("AGGREGATE",)
    weight = 15

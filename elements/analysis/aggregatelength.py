from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import Element


class AggregateLength(Element):
    """sets the aggregate annotation to packets' length

    Synopsis: `AggregateLength([IP ...])`

    The length counts bytes that weren't recorded, too (annotation EXTRA_LENGTH).

    Arguments:

      - IP: Boolean. Count from the IP header on; packets that have none leave by output 1, or are dropped. Default is false.

    Ports: one input; packets leave by output 0, others by output 1 if it is there.

    Example:

        FromDevice(eth0) -> AggregateLength -> AggregateCounter -> Discard;
    """

    ports = "1/1-2"
    processing = "a/ah"
    args = (Keyword("IP", Bool(), False),)
    annotations = ("AGGREGATE",)
    weight = 20

from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import Element


class ExtraDecap(Element):
    """takes the annotation WIFI_EXTRA from in front of packets

    Synopsis: `ExtraDecap([DEBUG ...])`

    Of packets that begin with the header that ExtraEncap puts on, it takes it off, and makes it the annotation WIFI_EXTRA. Others
    pass as they are.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Example:

        FromDump(monitor.pcap, STOP true) -> ExtraDecap -> FilterPhyErr -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)
    args = (Keyword("DEBUG", Bool(), False),)

from __future__ import annotations

from ._extra import Debugged


class ExtraDecap(Debugged):
    """takes the annotation WIFI_EXTRA from in front of packets

    Synopsis: `ExtraDecap([DEBUG ...])`

    Of packets that begin with the header that ExtraEncap puts on, it takes it off, and makes it the annotation WIFI_EXTRA. Others
    pass as they are.

    Arguments:

      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers: `debug` (read, write): DEBUG.

    Example:

        FromDump(monitor.pcap, STOP true) -> ExtraDecap -> FilterPhyErr -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

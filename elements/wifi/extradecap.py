from ._extra import Debugged


class ExtraDecap(Debugged):
    """takes the annotation WIFI_EXTRA from in front of packets

    Of packets that begin with the header that ExtraEncap puts on, it takes it off, and makes it the annotation WIFI_EXTRA. Others
    pass as they are.

    Example:

        FromDump(monitor.pcap, STOP true) -> ExtraDecap -> FilterPhyErr -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

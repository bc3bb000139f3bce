from ._extra import Debugged


class ExtraDecap(Debugged):
    """takes the annotation WIFI_EXTRA from in front of packets

    Moves the header that ExtraEncap prepends from the packet's start to the annotation WIFI_EXTRA. Packets without it pass
    unchanged.

    Example: FromDump(monitor.pcap, STOP true) -> ExtraDecap -> FilterPhyErr -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

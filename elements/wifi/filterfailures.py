from ._filter import WifiFilter


class FilterFailures(WifiFilter):
    """removes packets that no other station has acknowledged

    Packets with the flag TX_FAIL in their annotation WIFI_EXTRA, or in front of the frame (ExtraEncap), were sent without success.
    They leave by output 1, or are dropped if that isn't connected. RadiotapDecap and ExtraDecap set the annotation.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterFailures -> WifiDecap -> Discard;
    """

    flag = "TX_FAIL"

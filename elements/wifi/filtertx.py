from ._filter import WifiFilter


class FilterTX(WifiFilter):
    """removes packets that wireless devices show because they have sent them

    Packets with the flag TX in their annotation WIFI_EXTRA, or in front of the frame (ExtraEncap), were sent by the device itself.
    They leave by output 1, or are dropped if that isn't connected. RadiotapDecap and ExtraDecap set the annotation.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterTX -> WifiDecap -> Discard;
    """

    flag = "TX"

from ._filter import WifiFilter


class FilterPhyErr(WifiFilter, ports="1/1-3"):
    """removes packets that arrived with a wrong checksum

    Packets with the flag RX_ERR in their annotation WIFI_EXTRA, or in front of the frame (ExtraEncap), had a wrong checksum. They
    leave by output 1, or are dropped if that isn't connected. RadiotapDecap and ExtraDecap set the annotation.

    Ports: one input; output 0, and push output 1 (may be missing). Output 2 may be connected as well, but gets no
    packets.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterPhyErr -> WifiDecap -> Discard;
    """

    flag = "RX_ERR"

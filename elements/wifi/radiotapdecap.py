from clickbpf.declare import USER

from ._extra import Debugged


class RadiotapDecap(Debugged, runs=USER):
    """takes radiotap headers off 802.11 frames

    Removes the radiotap header, and sets the annotation WIFI_EXTRA by it: rate, signal, noise, whether the frame was sent or
    received, and whether that succeeded. If the header says that the frame ends with an FCS, that is removed. The frame's start
    becomes the MAC header. Packets without a complete radiotap header of version 0 pass unchanged.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterTX -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

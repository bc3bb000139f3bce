from clickbpf.declare import USER

from ._extra import Debugged


class RadiotapDecap(Debugged, runs=USER):
    """takes radiotap headers off 802.11 frames

    Takes the radiotap header off, and makes the annotation WIFI_EXTRA of it: rate, signal and noise, whether the frame was sent or
    received, and with what success. A frame's checksum is cut off, if the header says that it has one. The frame's start becomes
    the MAC header. Packets that don't begin with a radiotap header of version 0 that is complete pass as they are.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> FilterTX -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

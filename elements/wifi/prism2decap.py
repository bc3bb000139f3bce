from ._extra import Debugged


class Prism2Decap(Debugged):
    """takes Prism headers off 802.11 frames

    Removes the 144-byte header that linux-wlan-ng and later drivers put in front of frames (link type 119 of dumps), and sets the
    annotation WIFI_EXTRA by it: rate, signal strength, noise, and whether this device sent the frame. Packets without such a header
    pass unchanged.

    Example: FromDump(monitor.pcap, STOP true) -> Prism2Decap -> FilterTX -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

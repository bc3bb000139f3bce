from ._extra import Debugged


class Prism2Decap(Debugged):
    """takes Prism headers off 802.11 frames

    Takes the header of 144 bytes off that linux-wlan-ng and drivers after it put in front of frames (link type 119 of dumps), and makes
    the annotation WIFI_EXTRA say what it says: rate, signal strength, noise, and whether the frame was sent from here. Packets that don't
    begin with such a header pass as they are.

    Example:

        FromDump(monitor.pcap, STOP true) -> Prism2Decap -> FilterTX -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    annotations = ("WIFI_EXTRA",)

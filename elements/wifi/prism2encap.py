from clickbpf.declare import USER

from ._extra import Debugged


class Prism2Encap(Debugged, runs=USER):
    """puts linux-wlan-ng's headers on 802.11 frames

    Puts a header of 144 bytes on, as linux-wlan-ng did: it says that the frame was sent, its length, and signal strength and rate as the
    annotation WIFI_EXTRA has them.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> Prism2Encap -> ToDump(out.pcap, ENCAP 802_11);
    """

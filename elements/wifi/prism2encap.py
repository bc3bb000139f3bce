from clickbpf.declare import USER

from ._extra import Debugged


class Prism2Encap(Debugged, runs=USER):
    """puts linux-wlan-ng's headers on 802.11 frames

    Prepends a 144-byte header as linux-wlan-ng did, for a sent frame, with its length, and signal strength and rate from the
    annotation WIFI_EXTRA.

    Example: FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> Prism2Encap -> ToDump(out.pcap, ENCAP 802_11);
    """

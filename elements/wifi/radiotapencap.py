from ._extra import Debugged


class RadiotapEncap(Debugged):
    """puts radiotap headers on 802.11 frames

    Prepends a 14-byte radiotap header with rate, power, TX flags and number of retries from the annotation WIFI_EXTRA (SetTXRate,
    SetTXPower, SetNoAck). Without a number there, it is 12.

    Example: FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

from ._extra import Debugged


class RadiotapEncap(Debugged):
    """puts radiotap headers on 802.11 frames

    Puts a radiotap header of 14 bytes on: rate, power, TX flags and number of retries, as the annotation WIFI_EXTRA has them
    (SetTXRate, SetTXPower, SetNoAck). Retries are 12 where it says nothing.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

from clickbpf.declare import USER

from ._extra import Debugged


class AthdescEncap(Debugged, runs=USER):
    """puts descriptors of an Atheros chip on 802.11 frames

    Puts a descriptor of 32 bytes on, as the Madwifi driver takes them: power, and rates and numbers of tries, as the annotation WIFI_EXTRA
    has them (SetTXPower, SetTXRate). Rates that an AR5212 doesn't have are 0.

    Example:

        FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> AthdescEncap -> Queue -> ToDevice(eth1);
    """

from clickbpf.declare import USER

from ._extra import Debugged


class AthdescEncap(Debugged, runs=USER):
    """puts descriptors of an Atheros chip on 802.11 frames

    Prepends a 32-byte descriptor for the Madwifi driver, with power, rates and numbers of tries from the annotation WIFI_EXTRA
    (SetTXPower, SetTXRate). Rates that an AR5212 doesn't support become 0.

    Example: FromDevice(eth0) -> SetTXRate(22) -> WifiEncap(0) -> AthdescEncap -> Queue -> ToDevice(eth1);
    """

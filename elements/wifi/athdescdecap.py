from clickbpf.declare import USER

from ._extra import Debugged


class AthdescDecap(Debugged, runs=USER):
    """takes descriptors of an Atheros chip off 802.11 frames

    Removes the 32-byte descriptor that the Madwifi driver puts in front of frames, and sets the annotation WIFI_EXTRA by it. For a
    received frame: rate, signal strength, and whether the checksum was wrong. For a sent frame: rate, power, signal strength of the
    acknowledgement, retries, and whether it was lost. Packets shorter than 32 bytes pass unchanged.

    Example: FromDevice(eth0) -> AthdescDecap -> FilterPhyErr -> FilterTX -> WifiDecap -> Queue -> ToDevice(eth1);
    """

    annotations = ("WIFI_EXTRA",)

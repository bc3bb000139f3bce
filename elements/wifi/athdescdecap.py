from clickbpf.declare import USER

from ._extra import Debugged


class AthdescDecap(Debugged, runs=USER):
    """takes descriptors of an Atheros chip off 802.11 frames

    Removes the descriptor of 32 bytes that the Madwifi driver put in front of frames, and sets the annotation WIFI_EXTRA by it: of a
    received frame, its rate, its signal strength, and whether its checksum was wrong; of one that was sent, its rate, its power, the
    signal strength of the answer, the number of retries, and whether it was lost. Packets shorter than 32 bytes pass as they are.

    Example:

        FromDevice(eth0) -> AthdescDecap -> FilterPhyErr -> FilterTX -> WifiDecap -> Queue -> ToDevice(eth1);
    """

    annotations = ("WIFI_EXTRA",)

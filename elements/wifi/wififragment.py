from clickbpf.declare import PUSH, USER, Integer, Optional

from ._extra import DEBUG, Debugged


class WifiFragment(Debugged, processing=PUSH, runs=USER):
    """divides 802.11 frames into fragments

    Frames with more than MTU bytes after the 24-byte header become several fragments, each with the header, its number in the low
    four bits of the sequence control field, and, except the last one, the flag More Fragments (IEEE 802.11, 10.4). Fragments have
    no annotations.

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> WifiSeq -> WifiFragment(500) -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    args = (
        Optional("MTU", Integer(16), 0, "a number of bytes, at most 65535. Default, and the meaning of 0, is to divide nothing"),
        DEBUG,
    )

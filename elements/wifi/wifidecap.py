from clickbpf.declare import Bool, Keyword

from ._extra import DEBUG, Debugged


class WifiDecap(Debugged):
    """turns 802.11 frames into Ethernet frames

    Replaces the 802.11 header (24 to 32 bytes) and the LLC and SNAP headers of a data frame by an Ethernet header with the frame's
    destination and source, which depend on its direction, and its type. The Ethernet header becomes the MAC header. Frames that are
    too short or encrypted are dropped. If the annotation WIFI_EXTRA says that the header is padded (RadiotapDecap), the header
    takes a multiple of four bytes. (In frames with four addresses, Click's element takes the receiver for the destination and the
    transmitter for the source.)

    Example: FromDump(monitor.pcap, STOP true) -> WifiDecap -> Queue -> ToDevice(eth1);
    """

    args = (
        DEBUG,
        Keyword("STRICT", Bool(), False, "Boolean. Drop frames without the LLC and SNAP headers of RFC 1042"),
        Keyword("ETHER", Bool(), True, "Boolean. If false, the frame gets no Ethernet header"),
    )
    weight = 120

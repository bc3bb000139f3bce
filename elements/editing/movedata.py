from clickbpf.declare import SAME, USER, ArgError, Bool, Element, Integer, Keyword, Required

#: Bytes of the longest packet.
MOST = 65535


class MoveData(Element, runs=USER):
    """copies bytes of packets to another place in the same packet

    A class of FastClick. LENGTH bytes at SRC_OFFSET are copied to DST_OFFSET. Both count from the packet's start, and the bytes may
    overlap. A packet without at least one byte after the source range passes unchanged.

    Example: the source address of an Ethernet header becomes its destination, too:

        FromDevice(eth0) -> MoveData(0, 6, 6) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("DST_OFFSET", Integer(32, high=MOST), "Integers, up to 65535"),
        Required("SRC_OFFSET", Integer(32, high=MOST), SAME),
        Required("LENGTH", Integer(32, high=MOST), SAME),
        Keyword("GROW", Bool(), True, "Boolean. If true, a packet that ends before the last byte at DST_OFFSET is extended, with zeros "
            "before the copy. If false, it passes unchanged"),
    )

    def configure(self) -> None:
        if self.cfg.dst_offset + self.cfg.length > MOST:
            raise ArgError(f"no packet has {self.cfg.dst_offset + self.cfg.length} bytes", f"at most {MOST}", argument="LENGTH")

from clickbpf.declare import USER, ArgError, Bool, Element, Integer, Keyword, Optional

#: The largest OFFSET in the kernel path.
FARTHEST = 4096


class StoreTimestamp(Element):
    """writes packets' timestamps into their data

    Synopsis: `StoreTimestamp(OFFSET)` or `StoreTimestamp(TAIL true)`

    The timestamp takes eight bytes: nanoseconds since 1970 as a signed number in this machine's byte order.

    Example: FromDevice(eth0) -> StoreTimestamp(TAIL true) -> ToDump(stamped.pcap) -> Discard;
    """

    annotations = ("TIMESTAMP",)
    args = (
        Optional("OFFSET", Integer(31), text="Integer. Write them at this byte of the packet, which grows if it has to"),
        Keyword("TAIL", Bool(), False, "Boolean. Append them. One of the two must be given"),
    )
    derived = {"offset": ("__u32", lambda self: self.cfg.offset or 0)}

    def configure(self) -> None:
        if (self.cfg.offset is None) != self.cfg.tail:
            raise ArgError("supply exactly one of 'OFFSET' and 'TAIL'")
        if self.cfg.tail or self.cfg.offset > FARTHEST:
            self.runs = USER

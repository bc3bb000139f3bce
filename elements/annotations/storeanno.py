from clickbpf.declare import USER, Anno, Bool, Element, Integer, Keyword, Optional, Required

#: The kernel path writes only within this many bytes.
DEEPEST_IN_KERNEL = 4095


class StoreAnno(Element):
    """writes an annotation into packets

    A class of FastClick. A packet that ends at OFFSET or before passes unchanged, or with GROW is first extended with zeros
    (FastClick doesn't, although its manual page says so). The runtime extends packets, and writes beyond the first 4096 bytes.

    Example: the class of service of the packet goes into byte 1 of its IP header:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Paint(0xb8) -> StoreAnno(1) -> SetIPChecksum -> Discard;
    """

    args = (
        Required("OFFSET", Integer(high=(1 << 31) - 1), "the offset of the byte from the start of the packet"),
        Optional("ANNO", Anno(1), 16, "an annotation of one byte, by name or offset. Default PAINT"),
        Keyword("GROW", Bool(), False, "whether to extend shorter packets"),
    )

    def configure(self) -> None:
        if self.cfg.offset > DEEPEST_IN_KERNEL:
            self.runs = USER

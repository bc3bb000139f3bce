from clickbpf.declare import NETWORK, ArgError, Bool, Element, Form, IP6Address, Keyword, Rest

#: The most addresses in a header.
MOST = 127


class IP6SREncap(Element):
    """puts a segment routing header into IPv6 packets

    A class of FastClick. The header (RFC 8754) follows the IPv6 header, or a hop-by-hop header after that, and the packet visits
    its segments before its destination. According to RFC 8200 only a packet's source may insert such headers; others encapsulate
    the packet first, by IP6Encap.

    The packet must begin with its IPv6 header, which becomes the network header; the next segment also becomes the destination address
    annotation. (FastClick doesn't set that, and puts the header before a hop-by-hop header.) Packets other than IPv6, or too long
    for the payload length, are dropped. Transport checksums stay right with ENCAP_DST, since they cover the final destination.

    Example: by way of 2001:db8:1::1, then 2001:db8:2::1:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> IP6SREncap(2001:db8:2::1, 2001:db8:1::1)
            -> EtherEncap(0x86dd, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    takes = (Form(begins=NETWORK),)
    args = (
        Rest("ADDR", IP6Address(), "the segments, in the order of the header: the last one is visited first", named=True),
        Keyword("ENCAP_DST", Bool(), True, "whether the packet's destination is the final segment, after the others; otherwise the first "
            "ADDR is"),
    )
    annotations = ("DST_IP6",)
    weight = 150
    derived = {"count": ("__u32", lambda self: self._count())}

    def configure(self) -> None:
        if not self.cfg.addr and not self.cfg.encap_dst:
            raise ArgError("no segments given", argument="ADDR")
        if self._count() > MOST:
            raise ArgError(f"a header has room for {MOST} addresses, and {self._count()} are needed", argument="ADDR")

    def _count(self) -> int:
        return len(self.cfg.addr) + self.cfg.encap_dst

    def code(self) -> str:
        """A C function that writes the segments."""
        halves = [half for address in self.cfg.addr for half in divmod(int(address), 1 << 64)]
        stores = "".join(f"\tword64(to + {8 * i}) = htonll({half:#x}ull);\n" for i, half in enumerate(halves))
        return f"static __always_inline void SELF(write_given)(__u8 *to UNUSED)\n{{\n{stores}}}\n"

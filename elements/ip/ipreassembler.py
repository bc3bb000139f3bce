import ctypes

from clickbpf.declare import (
    KEPT, LOST, MARKED, Anno, ArgError, Element, Held, Integer, Keyword, Private, Self, ptr, read_handler, u64,
)


class IPReassembler(Element, ports="1/1-2", processing="a/ah"):
    """puts IP packets together from their fragments

    Unfragmented packets pass; the kernel path hands over fragments. Fragments are kept until a packet is complete (RFC 791, RFC
    815). It then leaves by output 0, with the header, the annotations and any bytes before the header of its first fragment, and
    the timestamp of the last fragment to arrive. Where fragments overlap, the later one counts.

    A packet is given up if none of its fragments arrives for 30 seconds. This is checked every 10 seconds, when a fragment arrives,
    by fragments' timestamps. If fragments use more memory than HIMEM, packets are given up, the oldest first, until they use three
    quarters of it. A packet that is given up leaves by output 1, if connected: one packet with all received data in place, zeros in
    the gaps, and the header of the first fragment, or else of the one that arrived first, with an offset of 0, and with MF unless
    the last fragment has arrived.

    Fragments with impossible offsets or lengths are dropped.

    Example: incomplete packets are reported to their sender (RFC 792):

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> whole :: IPReassembler -> Discard;
        whole[1] -> ICMPError(10.0.0.1, timeexceeded, reassembly) -> Discard;
    """

    takes = (MARKED,)
    #: WHERE and TAKE move partial packets to another element; TAKE returns how many.
    operations = ("DUMP", "FORGET", "WHERE", "TAKE")
    args = (
        Keyword("HIMEM", Integer(), 256 * 1024, "bytes of data, and 40 more for each packet, that may be kept. Default 256k, 262144"),
        Keyword("MAX_MTU_ANNO", Anno(2, is_set=True), text="an annotation of 2 bytes that is set to the length of a packet's longest "
            "fragment. Default none"),
    )
    annotations = ("IPREASSEMBLER",)
    state_types = {
        "table": Private(seen=u64, good=u64, failed=u64, bad=u64, reap_at=u64, text=ptr),
    }
    holds = (Held("fragments", KEPT, LOST),)
    derived = {
        "marks_mtu": ("bool", lambda self: self.cfg.max_mtu_anno is not None),
        "max_mtu_anno": ("__u32", lambda self: self.cfg.max_mtu_anno or 0),
    }

    def take_state(self, before: Self) -> None:
        """Take the partial packets: the rest of their fragments arrives at this router."""
        partials = (ctypes.c_void_p * 1)()
        before.runtime.control("WHERE", partials)
        self.runtime.adopt_packets(before, self.runtime.control("TAKE", partials))

    @read_handler
    def dump(self) -> str:
        """how many fragments were seen, packets reassembled, packets given up, and bad fragments; and a line for each incomplete
        packet: source and destination with ports, identification, and the parts of its data that have arrived.
        """
        table = self.state.table
        return (
            f"frags seen total:    {table.seen}\n"
            f"good reassemblies:   {table.good}\n"
            f"failed reassemblies: {table.failed}\n"
            f"bad fragments seen:  {table.bad}\n"
            f"cached chunk data:\n{self._waiting()}"
        )

    def _waiting(self) -> str:
        if self.runtime is None:
            return ""
        if self.runtime.control("DUMP"):
            raise ArgError("out of memory")
        text = ctypes.string_at(self.state.table.text.value).decode()
        self.runtime.control("FORGET")
        return text

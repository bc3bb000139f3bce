import ctypes
from enum import IntEnum

from clickbpf.declare import (
    KEPT, LOST, MARKED, Anno, ArgError, Constants, Element, Held, Integer, Keyword, Private, Self, ptr, read_handler, u64,
)


class Operation(IntEnum):
    """Operations of CONTROL. WHERE and TAKE move partial packets to another element; TAKE returns how many."""

    DUMP, FORGET, WHERE, TAKE = range(4)


class IPReassembler(Element, ports="1/1-2", processing="a/ah"):
    """puts IP packets together from their fragments

    Packets that are no fragments pass; the kernel path hands fragments over. They are kept until a packet is whole
    (RFC 791, RFC 815), which then leaves by output 0, with the header, annotations and anything in front of the header that
    its first fragment had, and the timestamp of the fragment that came last. Where fragments overlap, the later one counts.

    When no fragment of a packet has come for 30 seconds, it is given up; this is looked after every 10 seconds, by the
    timestamps of fragments, when one comes. If fragments use more memory than HIMEM, packets are given up, old ones first,
    until they use three quarters. A packet that is given up leaves by output 1, if that is there: one packet with all data
    that came in its place, zeros between, and the header of its first fragment, or else of the fragment that came first,
    with an offset of 0 and MF unless the last fragment has come.

    Fragments whose edges can't be right are dropped.

    Ports: one input; output 0, and push output 1 (may be missing) for packets that were given up.

    Example: packets that stayed incomplete are reported to their sender (RFC 792):

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> whole :: IPReassembler -> Discard;
        whole[1] -> ICMPError(10.0.0.1, timeexceeded, reassembly) -> Discard;
    """

    takes = (MARKED,)
    enums = (Operation,)
    args = (
        Keyword("HIMEM", Integer(), 256 * 1024, "bytes of data, and 40 more for each packet, that may be kept. Default 256k, 262144"),
        Keyword("MAX_MTU_ANNO", Anno(2), text="an annotation of 2 bytes that is set to the length of a packet's longest fragment. Default "
            "none"),
    )
    annotations = ("IPREASSEMBLER",)
    state_types = {
        "table": Private(seen=u64, good=u64, failed=u64, bad=u64, reap_at=u64, text=ptr),
    }
    holds = (Held("fragments", KEPT, LOST),)

    def constants(self) -> Constants:
        anno = self.cfg.max_mtu_anno
        return {
            "marks_mtu": ("bool", "false" if anno is None else "true"),
            "max_mtu_anno": ("__u32", f"{anno or 0}U"),
        }

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        written = super().annotations_written()
        return written if self.cfg.max_mtu_anno is None else (*written, (self.cfg.max_mtu_anno, 2))

    def take_state(self, before: Self) -> None:
        """The partial packets: the rest of their fragments comes to this router."""
        partials = (ctypes.c_void_p * 1)()
        before.runtime.control(Operation.WHERE, partials)
        self.runtime.adopt_packets(before, self.runtime.control(Operation.TAKE, partials))

    @read_handler
    def dump(self) -> str:
        """how many fragments were seen, packets put together, packets given up, and wrong fragments; and a line for each packet that waits:
        source and destination with ports, identification, and the parts of its data that have arrived.
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
        if self.runtime.control(Operation.DUMP):
            raise ArgError("out of memory")
        text = ctypes.string_at(self.state.table.text.value).decode()
        self.runtime.control(Operation.FORGET)
        return text

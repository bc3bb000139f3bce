from enum import IntEnum

from clickbpf.declare import COUNTED, LOST, PULL, USER, Bool, Element, Held, Keyword, Private, ptr, read_handler, u8, u64


class Difference(IntEnum):
    """How two packets differ."""

    LENGTH, DATA, TIME, OFFSET, HEADER_LENGTH, HEADER, MORE_IN_0, MORE_IN_1 = range(8)


TEXTS = (
    "different length", "different data", "different timestamp", "different network header offset", "different network header length",
    "different network header presence", "more packets in [0]", "more packets in [1]",
)  # fmt: skip


class ComparePackets(Element, ports="2/2", processing=PULL, runs=USER):
    """compares the packets of two inputs, pair by pair

    The n-th packet of input 0 is compared with the n-th of input 1; then each leaves by the output with its input's number. Packets
    differ if their lengths, data, network header annotations or timestamps do. A pull on an input without a packet, while the other
    input's packet waits, counts as a difference as well.

    Example:

        FromDump(sent.pcap) -> [0]c :: ComparePackets(TIMESTAMP false);
        FromDump(seen.pcap) -> [1]c;
        c[0] -> Unqueue -> Discard;
        c[1] -> Unqueue -> Discard;
    """

    args = (Keyword("TIMESTAMP", Bool(), True, "Boolean. Whether timestamps are compared"),)
    annotations = ("TIMESTAMP",)
    enums = (Difference,)
    #: `held` is a packet of each input; `compared` is set once it only waits to be pulled.
    state_types = {"pair": Private(held=ptr * 2, different=u64, by=u64 * len(Difference), compared=u8 * 2)}
    holds = (Held("packets that wait to be compared", COUNTED, LOST),)

    diffs = read_handler(lambda self: str(self.state.pair.different), text="pairs that differed")
    all_same = read_handler(lambda self: Bool().unparse(not self.state.pair.different), text="whether no pair differed")

    @read_handler
    def diff_details(self) -> str:
        """how many pairs differed in each way, a line each."""
        return "".join(f"{count}\t{text}\n" for count, text in zip(self.state.pair.by, TEXTS))

import ctypes

from clickbpf.declare import ANEW, USER, ArgError, Held, Integer, Private, Raw, Reconfigurable, Rest, ptr

#: A bound on offsets and lengths, beyond any packet's.
FAR = 1 << 17
NUMBER = Integer(high=FAR)


class Clipboard(Reconfigurable, ports="2/2", flow="#/#", runs=USER):
    """copies bytes from one packet to another

    A packet from input 0 leaves by output 0, unchanged; its bytes in the RANGEs are remembered. A packet from input 1 gets these
    bytes at the same offsets, or passes unchanged if it is too short for all RANGEs, and leaves by output 1. Before the first
    packet, the bytes are zero.

    Ports: two inputs, two outputs; each pair push or pull.

    Example: frames from eth1 leave with the source address of the last frame from eth0:

        board :: Clipboard(6/6);
        FromDevice(eth0) -> [0]board[0] -> Queue -> ToDevice(eth1);
        FromDevice(eth1) -> [1]board[1] -> Queue -> ToDevice(eth0);
    """

    args = (Rest("RANGE", Raw(), "`OFFSET/LENGTH`: LENGTH bytes, OFFSET bytes from the start of the packet"),)
    state_types = {"board": Private(bytes=ptr)}
    holds = (Held("bytes of a packet", ANEW, ANEW),)
    derived = {
        "ranges": ("__u32", lambda self: len(self.ranges)),
        "shortest": ("__u32", lambda self: max((offset + length for offset, length in self.ranges), default=0)),
    }

    def configure(self) -> None:
        self.ranges = [self._range(index, text) for index, text in enumerate(self.cfg.range)]
        if sum(length for _, length in self.ranges) > FAR:
            raise ArgError(f"more than {FAR} bytes to remember")

    @staticmethod
    def _range(index: int, text: str) -> tuple[int, int]:
        offset, slash, length = text.partition("/")
        if not (slash and offset and length):
            raise ArgError(f"range {index}: expected '/' between offset and length", argument="RANGE", index=index)
        try:
            return NUMBER.parse(offset.strip()), NUMBER.parse(length.strip())
        except ArgError as error:
            raise ArgError(f"range {index}: invalid offset or length", error.message, argument="RANGE", index=index) from None

    def code(self) -> str:
        rows = "".join(f"\t{{{offset}, {length}}},\n" for offset, length in self.ranges)
        return f"static const struct SELF(range) {{\n\t__u32 offset, length;\n}} SELF(range)[] = {{\n{rows}\t{{0, 0}},\n}};\n"

    def initialise(self) -> None:
        self._board = ctypes.create_string_buffer(max(1, sum(length for _, length in self.ranges)))
        self.state.board.bytes = ctypes.addressof(self._board)

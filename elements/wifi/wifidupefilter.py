from typing import Any

from clickbpf.declare import ANEW, Held, Private, State, read_handler, u16, u32, u64

from ..common._rows import CAPACITY, RowsElement, ether
from ..common._table import TABLE
from ._extra import DEBUG, Debugged


class WifiDupeFilter(RowsElement, Debugged):
    """drops 802.11 frames that have arrived before

    Drops retransmissions: frames with the flag Retry and the sequence number of the same transmitter's latest frame and, if
    fragments, no higher fragment number. Frames to groups, control frames and packets shorter than 24 bytes pass.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    args = (DEBUG, CAPACITY)
    state_types = {**Debugged.state_types, "rows": Private(table=TABLE, dupes=u64, hand=u32)}
    holds = (Held("numbers of frames", ANEW, ANEW),)
    row = State(address=u64, dupes=u32, sequence=u16, fragment=u16)

    dupes = read_handler(lambda self: f"{self.state.rows.dupes}\n", text="dropped frames")

    drops = dupes

    @read_handler
    def stats(self) -> str:
        """a line for each transmitter: its address, how many of its frames were dropped, and the numbers of its latest frame."""
        return self.lines()

    def line(self, row: Any) -> str:
        return f"{ether(row)} packets 0 dupes {row.dupes} seq {row.sequence} frag {row.fragment}\n"

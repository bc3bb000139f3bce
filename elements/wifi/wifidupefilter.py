import ctypes

from clickbpf.declare import ANEW, Ether, Held, Private, read_handler, u32, u64

from ..common._rows import CAPACITY, RowsElement
from ..common._table import TABLE
from ._extra import DEBUG, Debugged


class Station(ctypes.Structure):
    """An entry of the table: the latest frame of a station. The key's first six bytes are the address."""

    _fields_ = (("address", ctypes.c_uint8 * 8), ("dupes", u32), ("sequence", ctypes.c_uint16), ("fragment", ctypes.c_uint16))

    def __str__(self) -> str:
        address = Ether(bytes(self.address)[:6])
        return f"{address} packets 0 dupes {self.dupes} seq {self.sequence} frag {self.fragment}\n"


class WifiDupeFilter(RowsElement, Debugged):
    """drops 802.11 frames that have arrived before

    Drops retransmissions: frames with the flag Retry and the sequence number of the same transmitter's latest frame and, if
    fragments, no higher fragment number. Frames to groups, control frames and packets shorter than 24 bytes pass.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WifiDupeFilter -> WifiDecap -> Discard;
    """

    args = (DEBUG, CAPACITY)
    state_types = {**Debugged.state_types, "rows": Private(table=TABLE, dupes=u64, hand=u32)}
    holds = (Held("numbers of frames", ANEW, ANEW),)
    row = Station

    dupes = read_handler(lambda self: f"{self.state.rows.dupes}\n", text="dropped frames")

    drops = dupes

    @read_handler
    def stats(self) -> str:
        """a line for each transmitter: its address, how many of its frames were dropped, and the numbers of its latest frame."""
        return "".join(map(str, self.copied()))

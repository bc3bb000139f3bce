import ctypes

from clickbpf.declare import Ether, read_handler, s64, u8, u64

from ..common._rows import CAPACITY, RowsElement
from ..timestamps._time import unparse_timestamp

MS = 10**6


class Station(ctypes.Structure):
    """An entry of the table. The key's first six bytes are the address."""

    _fields_ = (
        ("address", ctypes.c_uint8 * 8), ("heard_at", s64), ("packets", u64), ("signals", u64), ("noises", u64),
        ("rate", u8), ("signal", u8), ("noise", u8),
    )  # fmt: skip

    def line(self, now: int) -> str:
        signal, noise = (unparse_timestamp(total * 1000 // self.packets * MS) for total in (self.signals, self.noises))
        return (
            f"{Ether(bytes(self.address)[:6])} rate {self.rate} signal {self.signal} noise {self.noise} "
            f"avg_signal {signal} avg_noise {noise} total_signal {self.signals} total_noise {self.noises} "
            f"packets {self.packets} last_received {unparse_timestamp(now - self.heard_at)}\n"
        )


class RXStats(RowsElement):
    """counts packets of stations, and how strong their signals are

    Counts Ethernet frames by source, with statistics from the annotation WIFI_EXTRA.

    Example:

        FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WifiDecap -> air :: RXStats -> Discard;
    """

    args = (CAPACITY,)
    row = Station

    @read_handler
    def stats(self) -> str:
        """a line for each station: its address, rate, signal and noise of its last packet, their averages and sums over all, the number of
        packets, and seconds since the last one.
        """
        return "".join(row.line(self.runtime.clock) for row in self.copied())

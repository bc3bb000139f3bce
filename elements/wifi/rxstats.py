from typing import Any

from clickbpf.declare import State, read_handler, s64, u8, u64

from ..common._rows import CAPACITY, RowsElement, ether
from ..timestamps._time import unparse_timestamp

MS = 10**6


class RXStats(RowsElement):
    """counts packets of stations, and how strong their signals are

    Counts Ethernet frames by source, with statistics from the annotation WIFI_EXTRA.

    Example: FromDump(monitor.pcap, STOP true) -> RadiotapDecap -> WifiDecap -> air :: RXStats -> Discard;
    """

    args = (CAPACITY,)
    row = State(address=u64, heard_at=s64, packets=u64, signals=u64, noises=u64, rate=u8, signal=u8, noise=u8)

    @read_handler
    def stats(self) -> str:
        """a line for each station: its address, rate, signal and noise of its last packet, their averages and sums over all, the number of
        packets, and seconds since the last one.
        """
        return self.lines()

    def line(self, row: Any) -> str:
        signal, noise = (unparse_timestamp(total * 1000 // row.packets * MS) for total in (row.signals, row.noises))
        return (
            f"{ether(row)} rate {row.rate} signal {row.signal} noise {row.noise} "
            f"avg_signal {signal} avg_noise {noise} total_signal {row.signals} total_noise {row.noises} "
            f"packets {row.packets} last_received {unparse_timestamp(self.runtime.clock - row.heard_at)}\n"
        )

from __future__ import annotations

from clickbpf.args import Integer, Optional, Required

from ..common._rates import BYTES
from ._pacer import MANUAL, NS_PER_SECOND, PacerElement

#: ETH_ZLEN of <linux/if_ether.h>.
LEAST = 60


class BandwidthPacer(PacerElement):
    __doc__ = MANUAL.format(
        name="BandwidthPacer", shaper="BandwidthShaper", unit="bytes", Unit="Bytes",
        rate="Bandwidth, such as `384kbps` or `1MBps`; bytes per second without a unit",
        packets=f"CAPACITY / {LEAST}", length="bytes that wait, with what is to come of the last packet's time", capacity=65536,
        least=f" A packet counts for at least {LEAST}.", example="10Mbps",
    )  # fmt: skip
    args = (Required("RATE", BYTES), Optional("CAPACITY", Integer(32), 65536))
    least = LEAST

    def time(self, amount: int, rate: int) -> int:
        return -(-amount * NS_PER_SECOND // rate)

    def waiting(self, time: int, rate: int) -> int:
        return time * rate // NS_PER_SECOND

from clickbpf.declare import Integer, Optional, Required

from ..common._rates import BYTES
from ._pacer import MANUAL, NS_PER_SECOND, PacerElement

#: ETH_ZLEN of <linux/if_ether.h>.
LEAST = 60


class BandwidthPacer(PacerElement):
    __doc__ = MANUAL.format(
        name="BandwidthPacer", shaper="BandwidthShaper", unit="bytes",
        packets=f"CAPACITY / {LEAST}", length="bytes that wait, with the rest of the last packet's time",
        example="10Mbps",
    )
    args = (
        Required("RATE", BYTES, "Bandwidth, such as `384kbps` or `1MBps`; bytes per second without a unit"),
        Optional("CAPACITY", Integer(32), 65536, f"Integer. Bytes that may wait. A packet counts for at least {LEAST}"),
    )
    least = LEAST

    def time(self, amount: int, rate: int) -> int:
        return -(-amount * NS_PER_SECOND // rate)

    def waiting(self, time: int, rate: int) -> int:
        return time * rate // NS_PER_SECOND

from clickbpf.declare import Integer, Optional, Required

from ..common._rates import PACKETS
from ._pacer import MANUAL, NS_PER_SECOND, PacerElement


class Pacer(PacerElement):
    __doc__ = MANUAL.format(
        name="Pacer", shaper="Shaper", unit="packets", packets="CAPACITY", length="packets that wait", example="1000"
    )
    args = (
        Required("RATE", PACKETS, "Integer, packets per second"),
        Optional("CAPACITY", Integer(32), 1000, "Integer. Packets that may wait"),
    )

    def time(self, amount: int, rate: int) -> int:
        return amount * -(-NS_PER_SECOND // rate)

    def waiting(self, time: int, rate: int) -> int:
        return max(0, -(-time // self.time(1, rate)) - 1)

from __future__ import annotations

from clickbpf.args import Integer, Optional, Required

from ..common._rates import PACKETS
from ._pacer import MANUAL, NS_PER_SECOND, PacerElement


class Pacer(PacerElement):
    __doc__ = MANUAL.format(
        name="Pacer", shaper="Shaper", unit="packets", Unit="Packets", rate="Integer, packets per second",
        packets="CAPACITY", length="packets that wait", capacity=1000, least="", example="1000",
    )  # fmt: skip
    args = (Required("RATE", PACKETS), Optional("CAPACITY", Integer(32), 1000))

    def time(self, amount: int, rate: int) -> int:
        return amount * -(-NS_PER_SECOND // rate)

    def waiting(self, time: int, rate: int) -> int:
        return max(0, -(-time // self.time(1, rate)) - 1)

from __future__ import annotations

from ..common._bucket import PACKET_ARGS, PACKET_TEXT
from ._ratedunqueue import MANUAL, RatedUnqueueElement


class RatedUnqueue(RatedUnqueueElement):
    __doc__ = MANUAL.format(name="RatedUnqueue", example="1000", **PACKET_TEXT)
    reconfigurable = True
    args = PACKET_ARGS

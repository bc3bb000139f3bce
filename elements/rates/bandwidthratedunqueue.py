from __future__ import annotations

from ..common._bucket import BYTE_ARGS, BYTE_TEXT, THRESHOLD
from ._ratedunqueue import MANUAL, RatedUnqueueElement


class BandwidthRatedUnqueue(RatedUnqueueElement):
    __doc__ = MANUAL.format(name="BandwidthRatedUnqueue", example="1Mbps", **BYTE_TEXT)
    reconfigurable = True
    args = BYTE_ARGS
    threshold = THRESHOLD

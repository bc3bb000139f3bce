from clickbpf.declare import RECONFIGURABLE

from ..common._bucket import BYTE_ARGS, THRESHOLD
from ._ratedunqueue import MANUAL, RatedUnqueueElement


class BandwidthRatedUnqueue(RatedUnqueueElement, traits=RECONFIGURABLE):
    __doc__ = MANUAL.format(name="BandwidthRatedUnqueue", example="1Mbps", unit="bytes")
    args = BYTE_ARGS
    threshold = THRESHOLD

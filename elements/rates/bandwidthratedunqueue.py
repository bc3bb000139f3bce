from clickbpf.declare import Reconfigurable

from ..common._bucket import BYTE_ARGS, THRESHOLD
from ._ratedunqueue import MANUAL, RatedUnqueueElement


class BandwidthRatedUnqueue(Reconfigurable, RatedUnqueueElement):
    __doc__ = MANUAL.format(name="BandwidthRatedUnqueue", example="1Mbps", unit="bytes")
    args = BYTE_ARGS
    threshold = THRESHOLD

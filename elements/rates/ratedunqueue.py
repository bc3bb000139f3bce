from clickbpf.declare import Reconfigurable

from ..common._bucket import PACKET_ARGS
from ._ratedunqueue import MANUAL, RatedUnqueueElement


class RatedUnqueue(Reconfigurable, RatedUnqueueElement):
    __doc__ = MANUAL.format(name="RatedUnqueue", example="1000", unit="packets")
    args = PACKET_ARGS

from clickbpf.declare import Reconfigurable, Required

from ..common._rates import PACKETS
from ._pace import PacedElement


class Shaper(Reconfigurable, PacedElement):
    """lets at most a number of packets per second be pulled

    Pulls find packets at an even rate of at most RATE a second. The element that pulls sleeps meanwhile, until the next packet is
    due. An element that pulls late may catch up within the second.

    Ports: one pull input; pulls from output 0 are shaped. Pulls from output 1, which need not be connected, find
    packets while output 0 finds none because of RATE.

    Example:

        FromDevice(eth0) -> Queue -> Shaper(1000) -> ToDevice(eth1);
    """

    args = (Required("RATE", PACKETS, "Integer, packets per second"),)

from clickbpf.declare import Reconfigurable, Required

from ..common._rates import PACKETS
from ._pace import PacedElement


class Shaper(Reconfigurable, PacedElement):
    """lets at most a number of packets per second be pulled

    Pulls find packets at an even rate of at most RATE per second. The pulling element sleeps until the next packet is due; if it
    pulls late, it may catch up within the second.

    Ports: one pull input; pulls from output 0 are shaped. Pulls from output 1 (optional) find packets only while RATE blocks output
    0.

    Example: FromDevice(eth0) -> Queue -> Shaper(1000) -> ToDevice(eth1);
    """

    args = (Required("RATE", PACKETS, "Integer, packets per second"),)

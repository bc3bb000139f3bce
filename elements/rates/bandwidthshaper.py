from clickbpf.declare import Reconfigurable, Required

from ..common._rates import BYTES
from ._pace import PacedElement


class BandwidthShaper(Reconfigurable, PacedElement):
    """lets at most a number of bytes per second be pulled

    Pulls find a packet unless earlier packets have used up RATE. The pulling element sleeps until the next packet is due; if it
    pulls late, it may catch up within the second.

    Ports: one pull input; one pull output, or two equivalent ones.

    Example: FromDevice(eth0) -> Queue -> BandwidthShaper(10Mbps) -> ToDevice(eth1);
    """

    args = (Required("RATE", BYTES, "Bandwidth, such as `384kbps` or `1MBps`; bytes per second without a unit"),)

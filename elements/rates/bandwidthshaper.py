from clickbpf.declare import Reconfigurable, Required

from ..common._rates import BYTES
from ._pace import PacedElement


class BandwidthShaper(Reconfigurable, PacedElement):
    """lets at most a number of bytes per second be pulled

    Pulls find a packet if those before have not used up RATE. The element that pulls sleeps meanwhile, until the next packet is
    due. An element that pulls late may catch up within the second.

    Ports: one pull input; one pull output, or two, which are alike.

    Example:

        FromDevice(eth0) -> Queue -> BandwidthShaper(10Mbps) -> ToDevice(eth1);
    """

    args = (Required("RATE", BYTES, "Bandwidth, such as `384kbps` or `1MBps`; bytes per second without a unit"),)

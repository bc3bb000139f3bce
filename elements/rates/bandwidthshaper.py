from __future__ import annotations

from clickbpf.args import Required

from ..common._rates import BYTES
from ._pace import PacedElement


class BandwidthShaper(PacedElement):
    """lets at most a number of bytes per second be pulled

    Synopsis: `BandwidthShaper(RATE)`

    Pulls find a packet if those before have not used up RATE. The element that pulls sleeps meanwhile, until the next packet is
    due. An element that pulls late may catch up within the second.

    Arguments:

      - RATE: Bandwidth, such as `384kbps` or `1MBps`; bytes per second without a unit.

    Ports: one pull input; one pull output, or two, which are alike.

    Handlers:

      - `rate` (read, write), `config` (read): RATE.
      - `reset` (write): forgets what was sent so far.

    Example:

        FromDevice(eth0) -> Queue -> BandwidthShaper(10Mbps) -> ToDevice(eth1);
    """

    reconfigurable = True
    args = (Required("RATE", BYTES),)

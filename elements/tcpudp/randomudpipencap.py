import random
from collections.abc import Mapping
from typing import ClassVar

from ._udpencap import CHECKSUM
from .udpipencap import UDPIPEncap


class RandomUDPIPEncap(UDPIPEncap):
    """puts packets into UDP and IP headers with random addresses and ports

    A class of FastClick: UDPIPEncap with addresses and ports drawn once, when the router starts. Handlers read and change them.

    Example: packets of two flows:

        FromDevice(eth0) -> Strip(14) -> h :: HashSwitch(0, 4);
        h[0] -> RandomUDPIPEncap -> to :: EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
        h[1] -> RandomUDPIPEncap -> to;
    """

    args = (CHECKSUM,)
    #: Addresses and ports are no arguments, which would be replaced.
    replaced: ClassVar[Mapping[str, str]] = {}

    def initialise(self) -> None:
        drawn = self.state.vars
        drawn.src, drawn.dst = (random.getrandbits(32) for _ in range(2))
        drawn.sport, drawn.dport = (random.getrandbits(16) for _ in range(2))

"""Hub: out of all ports but the one it came in by."""

from __future__ import annotations

from clickbpf.element import PUSH, USER

from ..common._ports import PortElement


class Hub(PortElement):
    """sends copies of each packet to all outputs but that of its input's number

    Synopsis: `Hub`

    As an Ethernet hub does, whatever the packets are. Lower outputs get theirs first. With more than two ports it runs in user
    space only.

    Ports: any number of push inputs and as many push outputs.

    Example: three segments of one Ethernet:

        hub :: Hub;
        FromDevice(eth0) -> hub -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]hub[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]hub[2] -> Queue -> ToDevice(eth2);
    """

    ports = "-/="
    processing = PUSH
    flow = "#/[^#]"
    weight = 15

    def configure(self) -> None:
        if self.noutputs > 2:
            self.runs = USER

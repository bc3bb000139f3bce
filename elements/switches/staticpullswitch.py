from __future__ import annotations

from clickbpf.args import Integer, Required

from ..common._inputs import Scheduler


class StaticPullSwitch(Scheduler):
    """pulls from one fixed input

    Synopsis: `StaticPullSwitch(INPUT)`

    Every pull is passed on to input INPUT. If there is no such input, no pull finds a packet.

    Arguments:

      - INPUT: Integer.

    Ports: any number of pull inputs, one pull output.

    Example:

        FromDevice(eth0) -> Queue -> [0]s :: StaticPullSwitch(1);
        FromDevice(eth1) -> Queue -> [1]s;
        s -> ToDevice(eth2);
    """

    args = (Required("INPUT", Integer(32, signed=True)),)

    def only_way(self) -> tuple[int, int]:
        return self.cfg.input, 0

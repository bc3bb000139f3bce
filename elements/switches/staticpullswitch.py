from clickbpf.declare import FixedPath, Integer, Required

from ..common._inputs import Scheduler


class StaticPullSwitch(FixedPath, Scheduler):
    """pulls from one fixed input

    Passes every pull on to input INPUT. If there is no such input, pulls find no packets.

    Example:

        FromDevice(eth0) -> Queue -> [0]s :: StaticPullSwitch(1);
        FromDevice(eth1) -> Queue -> [1]s;
        s -> ToDevice(eth2);
    """

    args = (Required("INPUT", Integer(32, signed=True), "Integer"),)

    def only_way(self) -> tuple[int, int]:
        return self.cfg.input, 0

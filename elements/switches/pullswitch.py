from clickbpf.declare import Optional, Private, Reconfigurable, s32

from ..common._inputs import Scheduler
from ._selection import NONE, NUMBER, Selection


class PullSwitch(Reconfigurable, Selection, Scheduler):
    """pulls from one input, which handlers can change

    Every pull is passed on to input INPUT. If there is no such input, no pull finds a packet. The element that pulls from it
    sleeps while that input is empty.

    Example:

        FromDevice(eth0) -> Queue -> [0]s :: PullSwitch(1);
        FromDevice(eth1) -> Queue -> [1]s;
        s -> ToDevice(eth2);
    """

    aliases = ("SimplePullSwitch",)
    args = (Optional("INPUT", NUMBER, 0, "Integer"),)
    state_types = {"selection": Private(input=s32)}
    selection, no_number = ("selection", "input"), "syntax error"

    def initialise(self) -> None:
        self.select(self.cfg.input)

    def select(self, port: int) -> None:
        super().select(max(port, NONE))

    def switched(self) -> None:
        self.notify()

from clickbpf.declare import Optional, Private, Reconfigurable, s32

from ..common._inputs import Scheduler
from ._selection import NONE, NUMBER, Selection


class PullSwitch(Reconfigurable, Selection, Scheduler):
    """pulls from one input, which handlers can change

    Passes every pull on to input INPUT. If there is no such input, pulls find no packets. The pulling element sleeps while that
    input is empty.

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

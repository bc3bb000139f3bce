from clickbpf.declare import ANEW, COUNTED, LOST, ArgError, Held, Integer, Optional, Private, ptr, u32

from ..common._inputs import PerInput, Scheduler


class DRRSched(Scheduler):
    """pulls from its inputs by deficit round robin

    Busy inputs get equal shares of bytes, whatever the length of their packets (deficit round robin, Shreedhar and Varghese 1995):
    in each round an input may send QUANTUM bytes more, and carries an unused part over to the next round while it has packets.
    Holds one packet for each input waiting for its turn. The pulling element sleeps while all inputs are empty.

    Example:

        FromDevice(eth0) -> Queue -> [0]sched :: DRRSched(1500);
        FromDevice(eth1) -> Queue -> [1]sched;
        sched -> ToDevice(eth2);
    """

    args = (Optional("QUANTUM", Integer(32, signed=True), 500, "Integer, bytes"),)
    state_types = {"round": Private(next=u32), "inputs": PerInput(head=ptr, deficit=u32)}
    holds = (Held("packets that wait", COUNTED, LOST), Held("deficits", ANEW, ANEW))

    def configure(self) -> None:
        if self.cfg.quantum <= 0:
            raise ArgError("bad QUANTUM", "expected a positive number of bytes", argument="QUANTUM")

from __future__ import annotations

from clickbpf.args import ArgError, Integer, Optional
from clickbpf.vocabulary.held import ANEW, COUNTED, LOST, Held
from clickbpf.vocabulary.state import Private, ptr, u32

from ..common._inputs import PerInput, Scheduler


class DRRSched(Scheduler):
    """pulls from its inputs by deficit round robin

    Synopsis: `DRRSched([QUANTUM])`

    Inputs that always have packets get the same number of bytes through, however long their packets are (deficit round
    robin, Shreedhar and Varghese 1995): in each round an input may send QUANTUM bytes more, and the part that it doesn't use counts
    in the next round while it has packets. It holds one packet of an input whose turn hasn't come. The element that pulls from
    it sleeps while all inputs are empty.

    Arguments:

      - QUANTUM: Integer, bytes. Default is 500.

    Ports: any number of pull inputs, one pull output.

    Example:

        FromDevice(eth0) -> Queue -> [0]sched :: DRRSched(1500);
        FromDevice(eth1) -> Queue -> [1]sched;
        sched -> ToDevice(eth2);
    """

    entries = ("pull", "cleanup")
    args = (Optional("QUANTUM", Integer(32, signed=True), 500),)
    state_types = {"round": Private(next=u32), "inputs": PerInput(head=ptr, deficit=u32)}
    holds = (Held("packets that wait", COUNTED, LOST), Held("deficits", ANEW, ANEW))

    def configure(self) -> None:
        if self.cfg.quantum <= 0:
            raise ArgError("bad QUANTUM", "expected a positive number of bytes", argument="QUANTUM")

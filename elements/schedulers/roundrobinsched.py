from clickbpf.declare import ANEW, ONLY_DECIDES, SPARE_INPUTS, Held, Private, u32

from ..common._inputs import Scheduler


class RoundRobinSched(Scheduler, traits=ONLY_DECIDES | SPARE_INPUTS):
    """pulls from its inputs in turn

    Each pull asks the inputs in turn until one has a packet, beginning after the input of the last packet. The pulling element
    sleeps while all inputs are empty.

    Turns take packets out of the kernel path. If the element only joins several paths to a device that never makes packets wait, a
    single Queue with the sum of the capacities does the same in the kernel; `-O 3` makes this replacement.

    Example:

        FromDevice(eth0) -> Queue -> [0]sched :: RoundRobinSched;
        FromDevice(eth1) -> Queue -> [1]sched;
        sched -> ToDevice(eth2);
    """

    aliases = ("SimpleRoundRobinSched", "SimpleRRSched", "RRSched")
    state_types = {"turn": Private(next=u32)}
    holds = (Held("whose turn it is", ANEW, ANEW),)

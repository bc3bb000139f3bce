from clickbpf.declare import ANEW, ONLY_DECIDES, SPARE_INPUTS, Held, Private, u32

from ..common._inputs import Scheduler


class RoundRobinSched(Scheduler, traits=ONLY_DECIDES | SPARE_INPUTS):
    """pulls from its inputs in turn

    Each pull asks the inputs one after another until one has a packet, beginning with the one after that which had the
    last. The element that pulls from it sleeps while all inputs are empty.

    Packets leave the kernel path for its turns. Where it only joins several ways to a device that never has to make
    packets wait, a single Queue does the same in the kernel; `-O 3` replaces it so, with the sum of their capacities.

    Example:

        FromDevice(eth0) -> Queue -> [0]sched :: RoundRobinSched;
        FromDevice(eth1) -> Queue -> [1]sched;
        sched -> ToDevice(eth2);
    """

    aliases = ("SimpleRoundRobinSched", "SimpleRRSched", "RRSched")
    state_types = {"turn": Private(next=u32)}
    holds = (Held("whose turn it is", ANEW, ANEW),)

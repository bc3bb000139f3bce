from clickbpf.declare import SPARE_INPUTS

from ..common._inputs import Scheduler


class PrioSched(Scheduler, traits=SPARE_INPUTS):
    """pulls from the first input that has a packet

    Strict priority: an input is asked only if all inputs before it are empty, so a busy input starves later ones. The pulling
    element sleeps while all inputs are empty.

    Example: ARP goes before everything else:

        FromDevice(eth0) -> c :: Classifier(12/0806, -);
        c[0] -> Queue -> [0]sched :: PrioSched;
        c[1] -> Queue -> [1]sched;
        sched -> ToDevice(eth1);
    """

    aliases = ("SimplePrioSched",)

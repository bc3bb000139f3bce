from clickbpf.declare import PULL, USER, Reconfigurable

from ..common._stride import StrideElement


class StrideSched(Reconfigurable, StrideElement, ports="1-/1", processing=PULL, runs=USER):
    """pulls from its inputs in proportion to their tickets

    Synopsis: `StrideSched(TICKETS0, ..., TICKETSn)`

    Of many packets, each input that always has some gets a share as large as its share in the tickets, and its packets
    are spread as evenly as they can be (stride scheduling, Waldspurger and Weihl 1995). Each pull asks the inputs in the
    order of how far they have advanced until one has a packet; each that was asked advances by 65536 / tickets, also
    if it had none. The element that pulls from it sleeps while all inputs are empty.

    Handlers:

      - `tickets0`, `tickets1` and so on (read, write): an input's tickets.

    Example: three of four packets come from the first queue while both have some:

        FromDevice(eth0) -> Queue -> [0]sched :: StrideSched(3, 1);
        FromDevice(eth1) -> Queue -> [1]sched;
        sched -> ToDevice(eth2);
    """

    side = "input"

    def ticketed(self) -> None:
        self.notify()

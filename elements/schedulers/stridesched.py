from clickbpf.declare import PULL, USER, Reconfigurable

from ..common._stride import StrideElement


class StrideSched(Reconfigurable, StrideElement, ports="1-/1", processing=PULL, runs=USER):
    """pulls from its inputs in proportion to their tickets

    Synopsis: `StrideSched(TICKETS0, ..., TICKETSn)`

    A busy input's share of packets equals its share of tickets, with its packets spread as evenly as possible (stride scheduling,
    Waldspurger and Weihl 1995). Each pull asks the inputs, least advanced first, until one has a packet; every input asked advances
    by 65536 / tickets, even if it had no packet. The pulling element sleeps while all inputs are empty.

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

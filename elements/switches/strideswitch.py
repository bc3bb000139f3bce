from clickbpf.declare import PUSH, USER, Reconfigurable

from ..common._stride import StrideElement

#: The most outputs for the kernel path, as the verifier walks through each.
MOST_OUTPUTS_IN_KERNEL = 16


class StrideSwitch(Reconfigurable, StrideElement, ports="1/1-", processing=PUSH):
    """sends packets to its outputs in proportion to their tickets

    Synopsis: `StrideSwitch(TICKETS0, ..., TICKETSn)`

    An output's share of packets equals its share of tickets, with its packets spread as evenly as possible (stride scheduling,
    Waldspurger and Weihl 1995): each packet leaves by the least advanced output, and advances that output by 65536 / tickets. If
    several CPUs push packets at the same time, these may count as one. With more than 16 outputs, the element runs in user space
    only.

    Arguments:

      - TICKETS: an integer for each output, in their order, up to 32768. An output with 0 tickets gets no packets; if no output has
        tickets, packets are dropped.

    Handlers:

      - `tickets0`, `tickets1` and so on (read, write): an output's tickets.

    Example: three of four packets take the first link:

        FromDevice(eth0) -> s :: StrideSwitch(3, 1);
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    side = "output"
    weight = 120

    def configure(self) -> None:
        super().configure()
        if self.noutputs > MOST_OUTPUTS_IN_KERNEL:
            self.runs = USER

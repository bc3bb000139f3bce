from clickbpf.declare import PUSH, USER, Reconfigurable

from ..common._stride import StrideElement

#: Outputs that the kernel path chooses between; the verifier walks through each.
MOST_OUTPUTS_IN_KERNEL = 16


class StrideSwitch(Reconfigurable, StrideElement, ports="1/1-", processing=PUSH):
    """sends packets to its outputs in proportion to their tickets

    Synopsis: `StrideSwitch(TICKETS0, ..., TICKETSn)`

    Of many packets, each output gets a share as large as its share in the tickets, and the packets for one output are
    spread as evenly as they can be (stride scheduling, Waldspurger and Weihl 1995): each packet leaves by the output that
    has advanced least, which then advances by 65536 / tickets. Where several CPUs push packets at the same moment, these
    may count as one. With more than 16 outputs it runs in user space only.

    Arguments:

      - TICKETS: an integer for each output, in their order, up to 32768. An output with 0 tickets gets no packets; if all
        have none, packets are dropped.

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

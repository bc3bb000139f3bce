from collections.abc import Iterable

from clickbpf.declare import ArgError, Bool, Optional

from ._fast import AMOUNT, DESTINATION, FLOWS, SOURCE, TCP, FastSource

#: A flow's first packet, one with data, and its last.
SHORTEST_FLOW = 3


class FastTCPFlows(FastSource):
    """generates TCP segments of many flows, for benchmarks

    Each segment belongs to one of FLOWS flows, chosen at random, which differ in their ports. A flow's first segment has the flag
    SYN, the FLOWSIZE-th FIN, those between PSH and ACK; all have the same sequence and acknowledgement numbers. After its FIN, a
    flow is replaced by a new one with other ports. After LIMIT segments, a FIN is sent for each unfinished flow.

    Example: FastTCPFlows(100000, 500000, 60, 2:2:2:2:2:2, 1.0.0.1, 3:3:3:3:3:3, 2.0.0.2, 100, 10) -> ToDevice(eth0);
    """

    args = (*AMOUNT, *SOURCE, *DESTINATION, *FLOWS, Optional("ACTIVE", Bool(), True, "false to make none"))
    protocol = TCP

    def configure(self) -> None:
        self._short = self.cfg.flowsize < SHORTEST_FLOW
        self.cfg.flowsize = max(SHORTEST_FLOW, self.cfg.flowsize)

    def warnings(self) -> Iterable[ArgError]:
        yield from super().warnings()
        if self._short:
            yield ArgError(f"flow size < {SHORTEST_FLOW}, defaulting to {SHORTEST_FLOW}", argument="FLOWSIZE")

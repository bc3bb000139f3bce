from collections.abc import Iterable

from clickbpf.declare import ArgError, Bool, Optional

from ._fast import AMOUNT, DESTINATION, FLOWS, SOURCE, TCP, FastSource

#: A packet that begins a flow, one with data, one that ends it.
SHORTEST_FLOW = 3


class FastTCPFlows(FastSource):
    """generates TCP segments of many flows, for benchmarks

    Each segment is of one of FLOWS flows, chosen at random, which differ in their ports. The first of a flow has the flag SYN,
    number FLOWSIZE has FIN, and those between have PSH and ACK; sequence and acknowledgement number are the same in all of
    them. Then a new flow begins, with other ports. After LIMIT segments, one with FIN is made for each flow that
    hasn't ended.

    Arguments:

      - RATE: segments per second; 0 for as many as are pulled.
      - LIMIT: segments to make; for ever if negative.

    Example:

        FastTCPFlows(100000, 500000, 60, 2:2:2:2:2:2, 1.0.0.1, 3:3:3:3:3:3, 2.0.0.2, 100, 10) -> ToDevice(eth0);
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

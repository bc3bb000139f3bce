from clickbpf.declare import ANEW, USER, Held, Private, read_handler

from ..common._listening import NOTIFIER, ListeningElement
from ..common._table import TABLE, capacity, refused


class AggregateFirst(ListeningElement, ports="1/1-2", processing="a/ah", runs=USER):
    """lets the first packet of each aggregate pass

    Others leave by output 1 or are dropped.

    Example: FromDump(trace.pcap, FORCE_IP true) -> AggregateIPFlows -> AggregateFirst -> ToDump(first.pcap);
    """

    args = (
        NOTIFIER,
        capacity(1 << 22, "Integer. The number of aggregates remembered; packets of other aggregates leave as if they weren't first. "
            "Default is 4194304, for which it takes 200 MB. (Click's element takes memory without a limit.)"),
    )
    state_types = {"seen": Private(table=TABLE)}
    holds = (Held("aggregates that it has seen", ANEW, ANEW),)

    @read_handler
    def no_room(self) -> str:
        """packets of aggregates that were not known because there were CAPACITY others."""
        return refused(self.state.seen.table)

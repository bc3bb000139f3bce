from __future__ import annotations

from clickbpf.vocabulary.element import USER, read_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private

from ..common._listening import NOTIFIER, ListeningElement
from ..common._table import TABLE, capacity, refused


class AggregateFirst(ListeningElement):
    """lets the first packet of each aggregate pass

    Synopsis: `AggregateFirst([NOTIFIER ...])`

    Others leave by output 1 or are dropped.

    Arguments:

      - NOTIFIER: an AggregateIPFlows or AggregateIPAddrPair. A flow is forgotten when this element reports that it is over.
      - CAPACITY: Integer. The number of aggregates remembered; packets of others leave as if they weren't first. Default is
        4194304, for which it takes 200 MB. (Click's element takes memory without a limit.)

    Ports: one input; packets leave by output 0, others by output 1 if it is there.

    Handlers:

      - `no_room` (read): packets of aggregates that were not known because there were CAPACITY others.

    Example:

        FromDump(trace.pcap, FORCE_IP true) -> AggregateIPFlows -> AggregateFirst -> ToDump(first.pcap);
    """

    ports = "1/1-2"
    processing = "a/ah"
    runs = USER
    entries = ("init", "cleanup")
    args = (NOTIFIER, capacity(1 << 22))
    state_types = {**ListeningElement.state_types, "seen": Private(table=TABLE)}
    holds = (Held("aggregates that it has seen", ANEW, ANEW),)

    @read_handler
    def no_room(self) -> str:
        return refused(self.state.seen.table)

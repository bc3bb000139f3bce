from __future__ import annotations

from clickbpf.args import Bool, Keyword
from clickbpf.vocabulary.element import USER, sum_handler, write_handler
from clickbpf.vocabulary.held import COUNTED, LOST, Held
from clickbpf.vocabulary.state import Private, u8, u32, u64

from ..common._listening import NOTIFIER, ListeningElement
from ..common._table import TABLE, capacity

CLEAR = 0


class AggregateLast(ListeningElement):
    """keeps the last packet of each aggregate

    Synopsis: `AggregateLast([NOTIFIER ..., STOP_AFTER_CLEAR ...])`

    A packet is kept until another of its aggregate comes; then it leaves by output 1 or is dropped. The last one leaves by
    output 0 when the flow is over, or when the handler `clear` is written. Its annotations describe the whole aggregate:
    EXTRA_PACKETS and EXTRA_LENGTH of the packets before it, FIRST_TIMESTAMP of the first.

    Arguments:

      - NOTIFIER: an AggregateIPFlows or AggregateIPAddrPair, which says when flows are over.
      - CAPACITY: Integer. The number of aggregates of which packets are kept; when another comes, an old one is treated as over.
        Default is 131072. (Click's element takes memory without a limit.)
      - STOP_AFTER_CLEAR: Boolean. Stop the driver after `clear`. Default is false.

    Ports: one input, push; the last packets leave by output 0, others by output 1 if it is there.

    Handlers:

      - `clear` (write): lets all packets go that are kept.
      - `evicted` (read): aggregates that were over because there were CAPACITY others.

    Example:

        FromDump(trace.pcap, FORCE_IP true, STOP true) -> AggregateIPFlows -> l :: AggregateLast -> ToIPSummaryDump(flows.txt,
            FIELDS first_timestamp timestamp count ip_src sport ip_dst dport);
        DriverManager(pause, write l.clear, stop);
    """

    ports = "1/1-2"
    processing = "h/h"
    runs = USER
    entries = ("task", "init", "cleanup", "control")
    args = (NOTIFIER, Keyword("STOP_AFTER_CLEAR", Bool(), False), capacity(1 << 17))
    annotations = ("EXTRA_PACKETS", "EXTRA_LENGTH", "FIRST_TIMESTAMP")
    state_types = {**ListeningElement.state_types, "kept": Private(table=TABLE, evicted=u64, hand=u32, clearing=u8)}
    holds = (Held("the last packet of each aggregate", COUNTED, LOST),)

    @write_handler
    def clear(self, text: str) -> None:
        self.runtime.control(CLEAR)

    evicted = sum_handler("kept")

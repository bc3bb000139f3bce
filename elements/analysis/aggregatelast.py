from clickbpf.declare import COUNTED, LOST, USER, Bool, Held, Keyword, Private, control_handler, sum_handler, u8, u32, u64

from ..common._listening import NOTIFIER, ListeningElement
from ..common._table import TABLE, capacity


class AggregateLast(ListeningElement, ports="1/1-2", processing="h/h", runs=USER):
    """keeps the last packet of each aggregate

    A packet is kept until the next one of its aggregate arrives; then it leaves by output 1 or is dropped. The last one leaves by
    output 0 when the flow is over, or when the handler `clear` is written. Its annotations describe the whole aggregate:
    EXTRA_PACKETS and EXTRA_LENGTH of the packets before it, FIRST_TIMESTAMP of the first.

    Arguments:

      - NOTIFIER: an AggregateIPFlows or AggregateIPAddrPair, which reports the ends of flows.
      - CAPACITY: Integer. The most aggregates at a time; a new one then ends an old one. Default is 131072. (Click's element takes
        memory without a limit.)

    Example:

        FromDump(trace.pcap, FORCE_IP true, STOP true) -> AggregateIPFlows -> l :: AggregateLast -> ToIPSummaryDump(flows.txt,
            FIELDS first_timestamp timestamp count ip_src sport ip_dst dport);
        DriverManager(pause, write l.clear, stop);
    """

    args = (NOTIFIER, Keyword("STOP_AFTER_CLEAR", Bool(), False, "Boolean. Stop the driver after `clear`"), capacity(1 << 17))
    annotations = ("EXTRA_PACKETS", "EXTRA_LENGTH", "FIRST_TIMESTAMP")
    state_types = {"kept": Private(table=TABLE, evicted=u64, hand=u32, clearing=u8)}
    holds = (Held("the last packet of each aggregate", COUNTED, LOST),)

    clear = control_handler(text="lets all packets go that are kept.")
    evicted = sum_handler("kept", text="aggregates that were over because there were CAPACITY others")

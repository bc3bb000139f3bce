"""AggregateFirst: the first of each."""

from __future__ import annotations

from clickbpf.element import USER
from clickbpf.state import Private, u64

from ..common._listening import NOTIFIER, ListeningElement
from ..common._table import TABLE


class AggregateFirst(ListeningElement):
    """lets the first packet of each aggregate pass

    Synopsis: `AggregateFirst([NOTIFIER ...])`

    Others leave by output 1 or are dropped.

    Arguments:

      - NOTIFIER: an AggregateIPFlows or AggregateIPAddrPair. What is known of a flow is forgotten when that says that it is over.

    Ports: one input; packets leave by output 0, others by output 1 if it is there.

    Example:

        FromDump(trace.pcap, FORCE_IP true) -> AggregateIPFlows -> AggregateFirst -> ToDump(first.pcap);
    """

    ports = "1/1-2"
    processing = "a/ah"
    runs = USER
    entries = ("init", "cleanup")
    args = (NOTIFIER,)
    state_types = {"seen": Private(table=TABLE, listener=u64 * 3)}

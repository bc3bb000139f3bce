from __future__ import annotations

from clickbpf.args import Keyword, Time
from clickbpf.vocabulary.element import USER, Element, control_handler, sum_handler
from clickbpf.vocabulary.held import ANEW, Held
from clickbpf.vocabulary.state import Private, ptr, s32, u8, u32, u64

from ..common._table import TABLE, capacity

CLEAR = 0


class AggregateIPAddrPair(Element):
    """numbers pairs of IP addresses in the aggregate annotation

    Synopsis: `AggregateIPAddrPair([TIMEOUT ..., REAP ...])`

    Packets between the same two addresses have the same number, from 1 on; the annotation PAINT is 0 for packets in the
    direction of the first, 1 for the others.

    Arguments:

      - TIMEOUT: Time. A pair that was silent for longer gets a new number. Default is none. Time is that of the packets; one
        without a timestamp gets the time now.
      - REAP: Time. How often silent pairs are forgotten. Default is 20 min.
      - CAPACITY: Integer. How many pairs can have a number at a time; when another comes, an old one is over. Default
        is 4194304, for which it takes 250 MB. (Click's element takes memory without a limit.)

    Ports: one input; packets leave by output 0, those without IP header by output 1 if it is there.

    Handlers:

      - `clear` (write): forgets all pairs.
      - `evicted` (read): pairs that were over because there were CAPACITY others.

    Example:

        FromDump(trace.pcap, FORCE_IP true) -> AggregateIPAddrPair -> AggregateCounter -> Discard;
    """

    ports = "1/1-2"
    processing = "a/ah"
    runs = USER
    entries = ("init", "cleanup", "control")
    args = (Keyword("TIMEOUT", Time(0), 0), Keyword("REAP", Time(0), 20 * 60 * 10**9), capacity(1 << 22))
    annotations = ("AGGREGATE", "PAINT")
    state_types = {"pairs": Private(table=TABLE, listeners=ptr, evicted=u64, hand=u32, next=u32, active=s32, reap=s32, warned=u8)}
    holds = (Held("numbers of address pairs", ANEW, ANEW),)

    def constants(self):
        return {"timeout": ("int", str(self.cfg.timeout // 10**9)), "reap": ("int", str(self.cfg.reap // 10**9))}

    evicted = sum_handler("pairs")

    clear = control_handler(CLEAR)

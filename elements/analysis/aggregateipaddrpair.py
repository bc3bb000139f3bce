from clickbpf.declare import (
    ANEW, USER, Element, Held, Keyword, Private, Time, control_handler, ptr, s32, sum_handler, u32, u64,
)

from ..common._table import TABLE, capacity


class AggregateIPAddrPair(Element, ports="1/1-2", processing="a/ah", runs=USER):
    """numbers pairs of IP addresses in the aggregate annotation

    Packets between the same two addresses get the same number, from 1 on. The annotation PAINT is 0 for packets in the direction of
    the pair's first packet, 1 for the others.

    Ports: one input; packets leave by output 0, those without an IP header by output 1 if it is connected.

    Example: FromDump(trace.pcap, FORCE_IP true) -> AggregateIPAddrPair -> AggregateCounter -> Discard;
    """

    args = (
        Keyword("TIMEOUT", Time(0), 0, "Time. A pair that was silent for longer gets a new number. Default is none. The clock is packets' "
            "timestamps; a packet without one gets the current time"),
        Keyword("REAP", Time(0), 20 * 60 * 10**9, "Time. How often silent pairs are forgotten. Default is 20 min"),
        capacity(1 << 22, "Integer. The most pairs at a time; a new one then ends an old one. Default is 4194304, for which it takes 250 "
            "MB. (Click's element takes memory without a limit.)"),
    )
    annotations = ("AGGREGATE", "PAINT")
    state_types = {"pairs": Private(table=TABLE, listeners=ptr, evicted=u64, hand=u32, next=u32, active=s32, reap=s32)}
    holds = (Held("numbers of address pairs", ANEW, ANEW),)
    derived = {"timeout": ("int", lambda self: self.cfg.timeout // 10**9), "reap": ("int", lambda self: self.cfg.reap // 10**9)}

    evicted = sum_handler("pairs", text="pairs that were over because there were CAPACITY others")

    clear = control_handler(text="forgets all pairs")

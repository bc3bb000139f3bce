from clickbpf.declare import BEARS_OFFLOADS, KEEPS_HEADER, MARKED, Element, PerThread, sum_handler, u64


class DecIP6HLIM(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """decrements the hop limit of IPv6 packets

    A packet with a hop limit of 0 or 1 leaves unchanged by output 1, usually to an ICMP6Error that reports this to its sender, or
    is dropped if there is no output 1. The hop limit of all other packets is decremented, which changes no checksum. A packet
    without a marked IPv6 header (CheckIP6Header, MarkIP6Header) is dropped.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> hops :: DecIP6HLIM -> Discard;
        hops[1] -> Discard;
    """

    takes = (MARKED,)
    state_types = {"counters": PerThread(expired=u64)}

    drops = sum_handler("counters", "expired", text="the number of packets whose hop limit was used up")

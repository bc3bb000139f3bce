from clickbpf.declare import BEARS_OFFLOADS, KEEPS_HEADER, MARKED, Bool, Element, Keyword, PerThread, sum_handler, u64


class DecIPTTL(Element, ports="1/1-2", processing="a/ah", traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """decrements the IP time-to-live

    A packet with a TTL of 0 or 1 leaves unchanged by output 1, usually to an ICMPError that informs its sender, or is dropped if
    output 1 isn't connected. For all other packets the TTL is decremented and the header's checksum updated (RFC 1624), so that a
    wrong checksum stays wrong.

    The packet's IP header must be marked (CheckIPHeader, MarkIPHeader); a packet without one is dropped.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> ttl :: DecIPTTL -> Discard;
        ttl[1] -> ICMPError(10.0.0.1, timeexceeded) -> Discard;
    """

    takes = (MARKED,)
    args = (
        Keyword("ACTIVE", Bool(), True, "false to let all packets pass unchanged", setting=True),
        Keyword("MULTICAST", Bool(), True, "false to let packets to multicast groups pass unchanged"),
    )
    state_types = {"counters": PerThread(expired=u64)}

    drops = sum_handler("counters", "expired", text="how many packets had expired")

from clickbpf.declare import MARKED, PUSH, Bool, Element, Integer, Keyword, PerThread, Required, sum_handler, u64


class IP6Fragmenter(Element, ports="1/1-2", processing=PUSH):
    """finds IPv6 packets that are longer than an MTU, or splits them

    A packet of at most MTU bytes from its IPv6 header on leaves unchanged by output 0. A longer one leaves unchanged by output 1,
    or is dropped if there is no output 1: routers don't split IPv6 packets, but report the MTU to their senders (RFC 8200, 5).
    (Click's element, whose manual page promises fragments, loses longer packets.)

    With SPLIT, which is meant for the host that sends the packets, or for a tunnel's own headers, longer packets are split into
    fragments, which leave by output 0 in order (RFC 8200, 4.5). Each has the headers up to the last one for routers on the way
    (hop-by-hop options and routing), then the fragment header; the other headers are data of the fragments. Packets that are
    fragments already, have more extension headers than are examined, or leave no room for data can't be split and leave by output
    1.

    All fragments get the annotations, but only the first gets the bytes before the IPv6 header, so strip link headers first. The
    header must be marked (CheckIP6Header, MarkIP6Header), and the packet trimmed to its length; a packet without a marked header,
    or shorter than its header says, is dropped. The kernel path does everything except splitting.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> fr :: IP6Fragmenter(1400) -> Discard;
        fr[1] -> ICMP6Error(2001:db8::1, packettoobig, PMTU 1400) -> Discard;
    """

    takes = (MARKED,)
    args = (
        Required("MTU", Integer(high=(1 << 31) - 1), "bytes of the longest packet. Links have an MTU of at least 1280 (RFC 8200, 5)"),
        Keyword("SPLIT", Bool(), False, "whether to split packets"),
        Keyword("HEADROOM", Integer(high=4096), 28, "bytes left free before all fragments but the first"),
    )
    state_types = {"counters": PerThread(drops=u64, fragments=u64)}

    drops = sum_handler("counters", text="how many packets were too long")
    fragments = sum_handler("counters", text="how many fragments were made")

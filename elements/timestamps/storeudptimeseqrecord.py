from clickbpf.declare import (
    ANEW, KEEPS_HEADER, KEPT, Bool, Element, Held, Integer, Keyword, Required, Vars, reset_handler, sum_handler, u64,
)

#: The largest OFFSET in the kernel path.
FARTHEST = 4096


class StoreUDPTimeSeqRecord(Element, traits=KEEPS_HEADER):
    """writes numbers and times into UDP packets, and how long they were on their way

    The first 20 bytes of the UDP packet's data become a record of five numbers of four bytes, in network byte order: a sequence number,
    from 1 on; the time, in seconds since 1970 and nanoseconds; and two zeros, where an element with DELTA true stores the time
    since then, in seconds and nanoseconds. The UDP checksum, if there is one, is updated. Packets that aren't UDP, later fragments,
    and packets too short for the record are dropped. IPv6 extension headers aren't supported.

    (Click's element also writes into other IPv4 packets, adds a checksum to UDP packets without one, and often computes a wrong
    one.)

    Example:

        RatedSource(LENGTH 22, RATE 1) -> UDPIPEncap(10.0.1.1, 6667, 20.0.0.2, 6667)
            -> StoreUDPTimeSeqRecord(0) -> DelayShaper(100ms) -> StoreUDPTimeSeqRecord(0, DELTA true) -> Unqueue
            -> ToDump(delays.pcap, ENCAP IP);
    """

    args = (
        Required("OFFSET", Integer(high=FARTHEST), "the offset of the IP header: 14 in an Ethernet frame"),
        Keyword("DELTA", Bool(), False, "Boolean. Keep the number and the time, and store the time since then; the clocks of both "
            "machines have to agree"),
    )
    state_types = {"vars": Vars(count=u64)}
    holds = (Held("the next number", ANEW, KEPT),)

    count = sum_handler("vars", text="how many packets it has written to")
    reset = reset_handler("vars", text="sets it to 0.")

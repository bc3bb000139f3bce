from clickbpf.declare import (
    ANEW, KEEPS_HEADER, KEPT, Bool, Element, Held, Integer, Keyword, Required, Vars, reset_handler, sum_handler, u64,
)

#: The last offset that packets of the kernel path may have.
FARTHEST = 4096


class StoreUDPTimeSeqRecord(Element, traits=KEEPS_HEADER):
    """writes numbers and times into UDP packets, and how long they were on their way

    The first 20 bytes of the UDP packet's data become a record of five numbers of four bytes, in network byte order: a sequence number,
    from 1 on; the time, in seconds since 1970 and nanoseconds; and two zeros, in which an element with DELTA true stores how long ago
    that time is, in seconds and nanoseconds. The UDP checksum stays right, if there is one. Packets that aren't UDP, later fragments and
    those too short for the record are dropped. Between the headers of IPv6 and UDP there may be no other.

    (Click's element writes into other IPv4 packets, too, gives a checksum to UDP packets that have none, and others often a wrong one.)

    Example:

        RatedSource(LENGTH 22, RATE 1) -> UDPIPEncap(10.0.1.1, 6667, 20.0.0.2, 6667)
            -> StoreUDPTimeSeqRecord(0) -> DelayShaper(100ms) -> StoreUDPTimeSeqRecord(0, DELTA true) -> Unqueue
            -> ToDump(delays.pcap, ENCAP IP);
    """

    args = (
        Required("OFFSET", Integer(high=FARTHEST), "where the IP header begins: 14 in an Ethernet frame"),
        Keyword("DELTA", Bool(), False, "Boolean. Leave number and time as they are, and store how long ago the time is, if the clocks of "
            "both machines agree"),
    )
    state_types = {"vars": Vars(count=u64)}
    holds = (Held("the next number", ANEW, KEPT),)

    count = sum_handler("vars", text="how many packets it has written to")
    reset = reset_handler("vars", text="sets it to 0.")

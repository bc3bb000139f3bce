from clickbpf.declare import ANEW, KEPT, Held, Optional, Vars, sum_handler, u64

from ._number import NET_ORDER, OFFSET, USUAL_OFFSET, Numbered


class NumberPacket(Numbered):
    """writes increasing numbers into packets

    A class of FastClick. The packets' numbers, from 0 on, have eight bytes. The runtime extends a packet that is too short for its
    number. If the packet has a marked IPv4 header, the header's length and checksum are updated, unlike in FastClick. Checksums
    over the payload become wrong.

    Example: do packets get lost between eth0 and eth1?

        InfiniteSource(LENGTH 100, LIMIT 10000) -> NumberPacket(60) -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> check :: CheckNumberPacket(60, 10000) -> Discard;
    """
    args = (Optional("OFFSET", OFFSET, USUAL_OFFSET, "where the number is, in bytes from the start of the packet"), NET_ORDER)
    state_types = {"vars": Vars(number=u64)}
    holds = (Held("the next number", ANEW, KEPT),)

    count = sum_handler("vars", "number", text="how many packets were numbered")

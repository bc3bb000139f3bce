from clickbpf.declare import ANEW, KEPT, Held, Optional, Vars, sum_handler, u64

from ._number import NET_ORDER, OFFSET, USUAL_OFFSET, Numbered


class NumberPacket(Numbered):
    """writes increasing numbers into packets

    A class of FastClick. The packets' numbers, from 0 on, have eight bytes. A packet that ends before its number does grows, in the
    runtime. If it is IPv4 and its header is marked, the header gets the new length and a right checksum, which FastClick leaves
    as it is. Checksums of what is in the packet become wrong in any case.

    Example: do packets get lost between eth0 and eth1?

        InfiniteSource(LENGTH 100, LIMIT 10000) -> NumberPacket(60) -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> check :: CheckNumberPacket(60, 10000) -> Discard;
    """
    args = (Optional("OFFSET", OFFSET, USUAL_OFFSET, "where the number is, in bytes from the start of the packet"), NET_ORDER)
    state_types = {"vars": Vars(number=u64)}
    holds = (Held("the next number", ANEW, KEPT),)

    count = sum_handler("vars", "number", text="how many packets were numbered")

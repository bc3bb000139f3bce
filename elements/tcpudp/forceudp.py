from clickbpf.declare import Constants, Element, IPPort, Integer, OneOf, Optional

#: What stands for a random port.
RANDOM = -1


class ForceUDP(Element):
    """makes the contents of IP packets look like UDP

    For tests: noise becomes UDP datagrams that are right as far as a receiver can tell. The packet's IP header has to be
    marked (MarkIPHeader, ForceIP). Destination port, length and checksum are written; the length is what the IP header
    leaves, even where the packet has less, and the checksum covers what there is. It is never 0, which would say that there
    is none (RFC 768; Click's may be, and adds IP options up as well). Packets whose IP header has wrong lengths, or no room
    for 8 bytes after it, are dropped; the runtime says so on standard error.

    Headers with IP options and more than 4095 bytes are left to the runtime.

    Example:

        FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ForceUDP(53) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("DPORT", OneOf(IPPort(17), Integer(32, signed=True, low=RANDOM, high=RANDOM)), RANDOM, "the destination port, by number "
            "or name; -1 for a random one below 1024"),
    )
    weight = 350

    def constants(self) -> Constants:
        return {"port": ("__s32", str(self.cfg.dport))}

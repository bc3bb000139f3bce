from clickbpf.declare import Element, IPPort, Integer, OneOf, Optional

#: DPORT's value for a random port.
RANDOM = -1


class ForceUDP(Element):
    """makes the contents of IP packets look like UDP

    For tests: noise becomes UDP datagrams that a receiver accepts as valid. The packet's IP header has to be marked (MarkIPHeader,
    ForceIP). Destination port, length and checksum are written; the length follows from the IP header, even if the packet is
    shorter, and the checksum covers the bytes present. A checksum of 0 is sent as 0xffff, since 0 would mean none (RFC 768; Click's
    element can send 0, and adds IP options to the sum). Packets with wrong lengths in the IP header, or less than 8 bytes after it,
    are dropped; the runtime reports this on standard error.

    Headers with IP options and more than 4095 bytes are left to the runtime.

    Example: FromDevice(eth0) -> Strip(14) -> MarkIPHeader -> ForceUDP(53) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("DPORT", OneOf(IPPort(17), Integer(32, signed=True, low=RANDOM, high=RANDOM)), RANDOM, "the destination port, by number "
            "or name; -1 for a random one below 1024"),
    )
    weight = 350
    derived = {"port": ("__s32", lambda self: self.cfg.dport)}

from clickbpf.declare import Element, Vars, u32


class ForceIP(Element):
    """makes packets look like IP

    For tests: turns noise into IP packets that CheckIPHeader accepts, if their source addresses are valid. Version, total length
    and checksum are written. An invalid header length is replaced by the length of the packet, up to 60 bytes. (Click's element
    stores the low four bits of the packet's length in words.) The fragment field is cleared, except in the second of every eight
    packets. The header becomes the network header. Packets of less than 20 bytes are dropped.

    Example: FromDevice(eth0) -> Strip(14) -> ForceIP -> ForceUDP(53) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    state_types = {"vars": Vars(turn=u32)}
    holds = ()
    weight = 150

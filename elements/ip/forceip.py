from clickbpf.declare import Element, Vars, u32


class ForceIP(Element):
    """makes packets look like IP

    For tests: noise becomes IP packets that CheckIPHeader passes, if their source addresses are good ones. Version, total
    length and checksum are written. A header length that can't be becomes the whole packet, or 60 bytes if that is less.
    (Click's element keeps four bits of the whole packet's words.) Of each eight packets in a row, all but the second get a
    fragment field of 0. The header becomes the network header. Packets of fewer than 20 bytes are dropped.

    Example:

        FromDevice(eth0) -> Strip(14) -> ForceIP -> ForceUDP(53) -> Unstrip(14) -> Queue -> ToDevice(eth1);
    """

    state_types = {"vars": Vars(turn=u32)}
    holds = ()
    weight = 150

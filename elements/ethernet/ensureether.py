from clickbpf.declare import SAME, ArgError, Element, Ether, EtherAddress, Integer, Optional


class EnsureEther(Element):
    """puts IP packets into an Ethernet header if they have none

    Goes by annotations. Packets without a network header annotation pass unchanged, and so do packets whose network header is 14
    bytes after their start, with an ethertype of IP or IPv6 before it. If an Ethernet header was stripped (the packet starts at the
    network header, 14 bytes after the MAC header annotation), it is restored. For all other packets, everything before the network
    header is replaced by a header from the arguments.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> EnsureEther -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("ETHERTYPE", Integer(), 0x0800, "the type field. Default 0x0800"),
        Optional("SRC", EtherAddress(), Ether(b"\1" * 6), "Ethernet addresses. Default 1:1:1:1:1:1 and 2:2:2:2:2:2"),
        Optional("DST", EtherAddress(), Ether(b"\2" * 6), SAME),
    )
    weight = 90

    def configure(self) -> None:
        if self.cfg.ethertype > 0xFFFF:
            raise ArgError("argument 1 (Ethernet encapsulation type) must be <= 0xFFFF", argument="ETHERTYPE")

from clickbpf.declare import SAME, ArgError, Element, Ether, EtherAddress, Integer, Optional


class EnsureEther(Element):
    """puts IP packets into an Ethernet header if they have none

    It uses the annotations. Packets without a network header annotation pass unchanged, and so do those whose network
    header is 14 bytes after their start and comes after an ethertype of IP or IPv6. Where such a header was stripped, that is,
    the MAC header annotation is 14 bytes before the network header at the packet's start, it is put back. All others lose
    what is in front of the network header, and get the header that the arguments describe.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> EnsureEther -> Queue -> ToDevice(eth1);
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

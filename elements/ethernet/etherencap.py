from clickbpf.declare import (
    ANY, BEARS_OFFLOADS, ETHERNET, ETHER_HLEN, SAME, AlignmentRule, EtherAddress, Form, Integer, Reconfigurable, Required, Vars, be16,
    ether, field_handlers,
)

ETHERTYPE = Integer(16)


class EtherEncap(Reconfigurable, traits=BEARS_OFFLOADS):
    """puts packets into an Ethernet header

    For IP packets to several hosts, use ARPQuerier instead. The MAC header annotation is set to the new header.

    Handlers:

      - `src`, `dst`, `ethertype` (read, write): the arguments; `etht` is an old name for the last.

    Example: FromDevice(eth0) -> Strip(14) -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    alignment = AlignmentRule(moves=-ETHER_HLEN)
    args = (
        Required("ETHERTYPE", ETHERTYPE, "the type field, such as 0x0800"),
        Required("SRC", EtherAddress(), "Ethernet addresses", setting="header"),
        Required("DST", EtherAddress(), SAME, setting="header"),
    )
    replaced = {"src": "SRC", "dst": "DST", "ethertype": "ETHERTYPE", "etht": "ETHERTYPE"}
    #: The layout is that of the header (struct ethhdr).
    state_types = {"header": Vars(dst=ether, src=ether, type=be16)}

    def gives(self, form: Form | None) -> Form:
        return (form or ANY).changed(begins=ETHERNET)

    def initialise(self) -> None:
        header = self.state.header
        header.dst[:], header.src[:], header.type = self.cfg.dst, self.cfg.src, self.cfg.ethertype

    ethertype = etht = field_handlers("header", ETHERTYPE, field="type")

from clickbpf.declare import BEARS_OFFLOADS, SAME, EtherAddress, Reconfigurable, Required, Vars, ether


class EtherRewrite(Reconfigurable, traits=BEARS_OFFLOADS):
    """replaces the addresses in the Ethernet header

    The type field stays. Use it for links with only one next hop, as behind a transparent firewall.

    The header is at the MAC header annotation, which FromDevice sets, or else at the packet's start. Packets too short for the
    addresses are dropped.

    Example: FromDevice(eth0) -> EtherRewrite(02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("SRC", EtherAddress(), "Ethernet addresses", setting="addresses"),
        Required("DST", EtherAddress(), SAME, setting="addresses"),
    )
    state_types = {"addresses": Vars(dst=ether, src=ether)}

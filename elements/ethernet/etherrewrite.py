from clickbpf.declare import BEARS_OFFLOADS, SAME, EtherAddress, Reconfigurable, Required, Vars, ether


class EtherRewrite(Reconfigurable, traits=BEARS_OFFLOADS):
    """replaces the addresses in the Ethernet header

    The type field stays. It is for links with one possible next hop, such as that of a transparent firewall.

    The header is where the MAC header annotation says, which FromDevice sets; at the start of packets without one. Packets
    that have no room for the addresses are dropped.

    Example:

        FromDevice(eth0) -> EtherRewrite(02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("SRC", EtherAddress(), "Ethernet addresses", setting="addresses"),
        Required("DST", EtherAddress(), SAME, setting="addresses"),
    )
    state_types = {"addresses": Vars(dst=ether, src=ether)}

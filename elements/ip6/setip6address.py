from clickbpf.declare import Element, IP6Address, Required, Vars

from ._code import address6_handlers, address_fields, set_address


class SetIP6Address(Element):
    """sets the destination address annotation to an IPv6 address

    Example: FromDevice(eth0) -> Strip(14) -> SetIP6Address(fe80::1) -> Discard;
    """

    args = (Required("IPADDR", IP6Address(), "the address"),)
    state_types = {"vars": Vars(**address_fields("addr"))}
    holds = ()
    annotations = ("DST_IP6",)

    def initialise(self) -> None:
        set_address(self.state.vars, "addr", self.cfg.ipaddr)

    addr = address6_handlers("vars")

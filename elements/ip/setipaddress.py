from clickbpf.declare import Anno, IPAddress, Keyword, Reconfigurable, Required, Vars, be32, field_handlers


class SetIPAddress(Reconfigurable):
    """sets an annotation to an IP address

    Every packet gets the address as its destination address annotation, or as another one.

    Example: FromDevice(eth0) -> Strip(14) -> SetIPAddress(10.0.0.254) -> Discard;
    """

    same_form = True
    args = (
        Required("IPADDR", IPAddress(), "the address"),
        Keyword("ANNO", Anno(4, is_set=True), 0, "an annotation of 4 bytes. Default DST_IP"),
    )
    state_types = {"vars": Vars(addr=be32)}

    def initialise(self) -> None:
        self.state.vars.addr = int(self.cfg.ipaddr)

    addr = field_handlers("vars", IPAddress(), text="the address")

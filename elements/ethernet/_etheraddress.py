"""What SetEtherAddress and StoreEtherAddress have in common: an address that a handler changes."""

from clickbpf.declare import Element, EtherAddress, Vars, ether, field_handlers


class AddressElement(Element):
    """ADDR and the handler `addr`."""

    state_types = {"vars": Vars(addr=ether)}

    def initialise(self) -> None:
        self.state.vars.addr = ether(*(self.cfg.addr or bytes(6)))

    addr = field_handlers("vars", EtherAddress())

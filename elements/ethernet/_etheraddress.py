"""The base of SetEtherAddress and StoreEtherAddress: an address that a handler changes."""

from clickbpf.declare import Element, EtherAddress, Vars, ether, field_handlers


class AddressElement(Element):
    """ADDR and the handler `addr`."""

    same_form = True
    state_types = {"vars": Vars(addr=ether)}

    addr = field_handlers("vars", EtherAddress())

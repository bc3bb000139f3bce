"""What SetEtherAddress and StoreEtherAddress have in common: an address that a handler changes."""

from __future__ import annotations

from clickbpf.args import EtherAddress
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, ether


class AddressElement(Element):
    """ADDR and the handler `addr`."""

    state_types = {"vars": Vars(addr=ether)}

    def initialise(self) -> None:
        self.state.vars.addr = ether(*(self.cfg.addr or bytes(6)))

    addr = field_handlers("vars", EtherAddress())

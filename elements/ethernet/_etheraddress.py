"""What SetEtherAddress and StoreEtherAddress have in common: an address that a handler changes."""

from __future__ import annotations

from clickbpf.args import EtherAddress
from clickbpf.args.values import Ether
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.state import Vars, ether


class AddressElement(Element):
    """ADDR and the handler `addr`."""

    state_types = {"vars": Vars(addr=ether)}

    def initialise(self) -> None:
        self._set(self.cfg.addr or bytes(6))

    def _set(self, address: bytes) -> None:
        self.state.vars.addr = ether(*address)

    @read_handler("addr")
    def read_addr(self) -> str:
        return str(Ether(self.state.vars.addr))

    @write_handler("addr")
    def write_addr(self, text: str) -> None:
        self._set(EtherAddress().parse(text.strip(), self.context))

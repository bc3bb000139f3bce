"""The base of elements that add an IP header, with handlers for its addresses."""

from ipaddress import IPv4Address, IPv6Address
from typing import ClassVar

from clickbpf.declare import NOWHERE, Context, Element, IPAddress, Type, be32, field_handlers, frozen, u8, u64, value_handlers

Address = IPv4Address | IPv6Address

#: The word for the annotation in configurations.
DST_ANNO = "DST_ANNO"

#: Fields of the Vars `vars` of encapsulating elements. `number` counts packets.
ADDRESSED = {"src": be32, "dst": be32, "from_annotation": u8, "number": u64}
#: Their handlers that change an argument, if they are Reconfigurable.
REPLACED = {"src": "SRC", "dst": "DST"}


@frozen
class Destination(Type):
    """An address or DST_ANNO; value the address, or None for the packet's destination address annotation."""

    address: ClassVar[Type] = IPAddress()

    def parse(self, text: str, context: Context = NOWHERE) -> Address | None:
        return None if text == DST_ANNO else self.address.parse(text, context)

    def unparse(self, value: Address | None) -> str:
        return DST_ANNO if value is None else self.address.unparse(value)

    def describe(self) -> str:
        return f"{self.address.describe()} or {DST_ANNO}"


class Encap(Element):
    """Base of encapsulating elements: arguments SRC and DST, and their handlers."""

    #: What DST may be.
    destination: Type = IPAddress()
    annotations = ("DST_IP",)

    def initialise(self) -> None:
        super().initialise()
        self._set_destination(self.cfg.dst)

    def _set_destination(self, address: IPv4Address | None) -> None:
        self.state.vars.dst = int(address or 0)
        self.state.vars.from_annotation = address is None

    def _get_destination(self) -> Address:
        return IPv4Address(self.state.vars.dst)

    src = field_handlers("vars", IPAddress())

    dst = value_handlers(
        lambda self: self.destination,
        lambda self: None if self.state.vars.from_annotation else self._get_destination(),
        lambda self, address: self._set_destination(address),
    )

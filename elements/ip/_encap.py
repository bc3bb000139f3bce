"""What elements that put packets into IP headers of their own have in common: addresses that handlers change."""

from __future__ import annotations

from ipaddress import IPv4Address

from clickbpf.args import NOWHERE, Context, IPAddress
from clickbpf.args.types.base import Type
from clickbpf.frozen import frozen
from clickbpf.vocabulary.element import Element, field_handlers, read_handler, write_handler
from clickbpf.vocabulary.state import be32, u8, u64

#: How a configuration asks for the annotation.
DST_ANNO = "DST_ANNO"

#: Fields of the Vars `vars` of encapsulating elements. `number` counts packets.
ADDRESSED = {"src": be32, "dst": be32, "from_annotation": u8, "number": u64}


@frozen
class Destination(Type):
    """An IP address or DST_ANNO; value IPv4Address, or None for the packet's destination address annotation."""

    def parse(self, text: str, context: Context = NOWHERE) -> IPv4Address | None:
        return None if text == DST_ANNO else IPAddress().parse(text, context)

    def unparse(self, value: IPv4Address | None) -> str:
        return DST_ANNO if value is None else str(value)

    def describe(self) -> str:
        return "an IP address or DST_ANNO"


class Encap(Element):
    """Base of encapsulating elements: arguments SRC and DST, and their handlers."""

    #: What DST may be.
    destination = IPAddress()
    annotations = ("DST_IP",)

    def initialise(self) -> None:
        self.state.vars.src = int(self.cfg.src)
        self._set_destination(self.cfg.dst)

    def _set_destination(self, address: IPv4Address | None) -> None:
        self.state.vars.dst = int(address or 0)
        self.state.vars.from_annotation = address is None

    src = field_handlers("vars", IPAddress())

    @read_handler
    def dst(self) -> str:
        found = self.state.vars
        return self.destination.unparse(None if found.from_annotation else IPv4Address(found.dst))

    @write_handler("dst")
    def set_dst(self, text: str) -> None:
        self._set_destination(self.destination.parse(text.strip(), self.context))

"""What elements that put packets into IPv6 headers of their own have in common: addresses that handlers change."""

from __future__ import annotations

from ipaddress import IPv6Address

from clickbpf.args import NOWHERE, Context, IP6Address, ip6_text
from clickbpf.args.types.base import Type
from clickbpf.frozen import frozen
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.state import u32

from ..ip._encap import DST_ANNO
from ._code import address6_handlers, address_fields, get_address, set_address

#: Fields of the Vars `vars` that such elements have.
ADDRESSED6 = {**address_fields("src"), **address_fields("dst"), "from_annotation": u32}


@frozen
class Destination6(Type):
    """An IPv6 address or DST_ANNO; value IPv6Address, or None for the packet's destination address annotation."""

    def parse(self, text: str, context: Context = NOWHERE) -> IPv6Address | None:
        return None if text == DST_ANNO else IP6Address().parse(text, context)

    def unparse(self, value: IPv6Address | None) -> str:
        return DST_ANNO if value is None else ip6_text(value)

    def describe(self) -> str:
        return "an IPv6 address or DST_ANNO"


class Encap6(Element):
    """Base of such elements: arguments SRC and DST, and their handlers."""

    annotations = ("DST_IP6",)

    def initialise(self) -> None:
        set_address(self.state.vars, "src", self.cfg.src)
        self._set_destination(self.cfg.dst)

    def _set_destination(self, address: IPv6Address | None) -> None:
        set_address(self.state.vars, "dst", address or IPv6Address(0))
        self.state.vars.from_annotation = address is None

    src = address6_handlers("vars")

    @read_handler
    def dst(self) -> str:
        found = self.state.vars
        return Destination6().unparse(None if found.from_annotation else get_address(found, "dst"))

    @write_handler("dst")
    def set_dst(self, text: str) -> None:
        self._set_destination(Destination6().parse(text.strip(), self.context))

"""The base of elements that add an IPv6 header, with handlers for its addresses."""

from ipaddress import IPv6Address
from typing import ClassVar

from clickbpf.declare import IP6Address, Type, frozen, u32

from ..ip._encap import Destination, Encap
from ._code import address6_handlers, address_fields, get_address, set_address

#: Fields of the Vars `vars` of such elements.
ADDRESSED6 = {**address_fields("src"), **address_fields("dst"), "from_annotation": u32}


@frozen
class Destination6(Destination):
    """The same of IPv6."""

    address: ClassVar[Type] = IP6Address()


class Encap6(Encap):
    """Base of such elements: arguments SRC and DST, and their handlers."""

    destination = Destination6()
    annotations = ("DST_IP6",)

    def _set_destination(self, address: IPv6Address | None) -> None:
        set_address(self.state.vars, "dst", address or IPv6Address(0))
        self.state.vars.from_annotation = address is None

    def _get_destination(self) -> IPv6Address:
        return get_address(self.state.vars, "dst")

    src = address6_handlers("vars")

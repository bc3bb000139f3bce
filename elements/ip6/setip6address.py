"""SetIP6Address: a fixed address as the annotation."""

from __future__ import annotations

from clickbpf.args import IP6Address, Required, ip6_text
from clickbpf.vocabulary.element import Element, read_handler, write_handler
from clickbpf.vocabulary.state import Vars

from ._code import address_fields, get_address, set_address


class SetIP6Address(Element):
    """sets the destination address annotation to an IPv6 address

    Synopsis: `SetIP6Address(IPADDR)`

    Arguments:

      - IPADDR: the address.

    Ports: one input, one output.

    Handlers:

      - `addr` (read, write): the address.

    Example:

        FromDevice(eth0) -> Strip(14) -> SetIP6Address(fe80::1) -> Discard;
    """

    args = (Required("IPADDR", IP6Address()),)
    state_types = {"vars": Vars(**address_fields("addr"))}
    annotations = ("DST_IP6",)
    weight = 30

    def initialise(self) -> None:
        set_address(self.state.vars, "addr", self.cfg.ipaddr)

    @read_handler
    def addr(self) -> str:
        return ip6_text(get_address(self.state.vars, "addr"))

    @write_handler("addr")
    def set_addr(self, text: str) -> None:
        set_address(self.state.vars, "addr", IP6Address().parse(text.strip(), self.context))

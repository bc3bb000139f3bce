from __future__ import annotations

from clickbpf.args import IP6Address, Required
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.state import Vars

from ._code import address6_handlers, address_fields, set_address


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
    holds = ()
    annotations = ("DST_IP6",)
    weight = 30

    def initialise(self) -> None:
        set_address(self.state.vars, "addr", self.cfg.ipaddr)

    addr = address6_handlers("vars")

from __future__ import annotations

from clickbpf.args import EtherAddress, Required
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.state import Vars, ether


class EtherRewrite(Element):
    """replaces the addresses in the Ethernet header

    Synopsis: `EtherRewrite(SRC, DST)`

    The type field stays. It is for links with one possible next hop, such as that of a transparent firewall.

    The header is where the MAC header annotation says, which FromDevice sets; at the start of packets without one. Packets
    that have no room for the addresses are dropped.

    Arguments:

      - SRC, DST: Ethernet addresses.

    Ports: one input, one output.

    Handlers:

      - `src`, `dst` (read, write): the arguments.

    Example:

        FromDevice(eth0) -> EtherRewrite(02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    bears_offloads = True
    reconfigurable = True
    args = (Required("SRC", EtherAddress()), Required("DST", EtherAddress()))
    state_types = {"addresses": Vars(dst=ether, src=ether)}
    weight = 25

    def initialise(self) -> None:
        addresses = self.state.addresses
        addresses.dst[:], addresses.src[:] = self.cfg.dst, self.cfg.src

    src = field_handlers("addresses", EtherAddress())
    dst = field_handlers("addresses", EtherAddress())

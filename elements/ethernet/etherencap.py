from __future__ import annotations

from clickbpf.args import EtherAddress, Integer, Required
from clickbpf.vocabulary.alignment import ETHER_HLEN, AlignmentRule
from clickbpf.vocabulary.element import Element, field_handlers
from clickbpf.vocabulary.forms import ANY, ETHERNET, Form
from clickbpf.vocabulary.state import Vars, be16, ether

ETHERTYPE = Integer(16)


class EtherEncap(Element):
    """puts packets into an Ethernet header

    Synopsis: `EtherEncap(ETHERTYPE, SRC, DST)`

    IP packets that go to more than one host want ARPQuerier instead. The new header becomes the MAC header.

    Arguments:

      - ETHERTYPE: the type field, such as 0x0800.
      - SRC, DST: Ethernet addresses.

    Ports: one input, one output.

    Handlers:

      - `src`, `dst`, `ethertype` (read, write): the arguments; `etht` is an old name of the last.

    Example:

        FromDevice(eth0) -> Strip(14) -> EtherEncap(0x0800, 02:00:00:00:00:01, 02:00:00:00:00:02) -> Queue -> ToDevice(eth1);
    """

    bears_offloads = True
    alignment = AlignmentRule(moves=-ETHER_HLEN)
    reconfigurable = True
    args = (Required("ETHERTYPE", ETHERTYPE), Required("SRC", EtherAddress()), Required("DST", EtherAddress()))
    #: Laid out as the header is (struct ethhdr).
    state_types = {"header": Vars(dst=ether, src=ether, type=be16)}
    weight = 40

    def gives(self, form: Form | None) -> Form:
        return (form or ANY).changed(begins=ETHERNET)

    def initialise(self) -> None:
        header = self.state.header
        header.dst[:], header.src[:], header.type = self.cfg.dst, self.cfg.src, self.cfg.ethertype

    src = field_handlers("header", EtherAddress())
    dst = field_handlers("header", EtherAddress())
    ethertype = etht = field_handlers("header", ETHERTYPE, field="type")

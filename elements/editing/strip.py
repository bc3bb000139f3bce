from __future__ import annotations

from clickbpf.args import Integer, Required
from clickbpf.vocabulary.alignment import ETHER_HLEN, AlignmentRule
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import ANY, ETHERNET, NETWORK, Form


class Strip(Element):
    """removes bytes from the start of packets

    Synopsis: `Strip(LENGTH)`

    A packet with fewer bytes is left with none, which the runtime reports on standard error. Header annotations stay where
    they are in the packet, so a stripped Ethernet header is still the MAC header. FlowStrip of FastClick is another name of the class.

    Arguments:

      - LENGTH: how many bytes.

    Ports: one input, one output.

    Example: IP packets without their Ethernet headers:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> Discard;
    """

    bears_offloads = True
    keeps_header = True
    aliases = ("FlowStrip",)
    args = (Required("LENGTH", Integer()),)
    weight = 10

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule(moves=self.cfg.length)

    def gives(self, form: Form | None) -> Form:
        if form is None or not self.cfg.length:
            return form or ANY
        return form.changed(begins=NETWORK if form.begins == ETHERNET and self.cfg.length == ETHER_HLEN else None)

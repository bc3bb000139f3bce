from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.alignment import AlignmentRule
from clickbpf.vocabulary.element import PASSES, Element
from clickbpf.vocabulary.forms import ANY, Form


class MarkIPHeader(Element):
    """sets the network and transport header annotations

    Synopsis: `MarkIPHeader([OFFSET])`

    The IP header begins OFFSET bytes into the packet, and what it carries right after it, as far as its header length
    says. Nothing is checked: for packets from a network use CheckIPHeader. A packet that ends before OFFSET is taken to
    have a header of no length there, so elements that look at it find it too short.

    Arguments:

      - OFFSET: bytes in front of the IP header; below zero it lies before the packet's data, where Strip has been. Default 0.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> MarkIPHeader(14) -> DecIPTTL -> Discard;
    """

    bears_offloads = True
    entries = ("gives_up",)
    looks = PASSES
    args = (Optional("OFFSET", Integer(signed=True), 0),)
    weight = 20

    def gives(self, form: Form | None) -> Form:
        return form.changed(marked=True) if form else ANY

    @property
    def alignment(self) -> AlignmentRule:
        return AlignmentRule.of_ip_header(self.cfg.offset)

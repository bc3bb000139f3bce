"""What CopyFlowID and CopyTCPSeq have in common: packets of one way are looked at, packets of another way changed."""

from __future__ import annotations

from clickbpf.args import Raw, Rest
from clickbpf.vocabulary.element import Element


class CopyingElement(Element):
    """Base of both; C files end with tcpudp/copying.inc.h."""

    ports = "2/2"
    entries = ("pull",)
    #: Any arguments are accepted and mean nothing.
    args = (Rest("IGNORED", Raw()),)
    weight = 60

from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import ANY, Form


class MarkIP6Header(Element):
    """sets the network and transport header annotations of IPv6 packets

    Synopsis: `MarkIP6Header([OFFSET])`

    The IPv6 header begins OFFSET bytes into the packet; the transport header follows it and its extension headers, of which at
    most 8 are examined. (For Click's element it always follows the 40 bytes of the header.) Nothing is checked: use
    CheckIP6Header for packets from a network.

    Arguments:

      - OFFSET: bytes before the IPv6 header; a negative number if the header lies before the packet's data, after Strip. Default
        0.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> MarkIP6Header(14) -> DecIP6HLIM -> Discard;
    """

    bears_offloads = True
    args = (Optional("OFFSET", Integer(signed=True), 0),)
    weight = 150

    def gives(self, form: Form | None) -> Form:
        return form.changed(marked=True) if form else ANY

"""MarkIP6Header: where the IPv6 header is."""

from __future__ import annotations

from clickbpf.args import Integer, Optional
from clickbpf.vocabulary.element import Element


class MarkIP6Header(Element):
    """sets the network and transport header annotations of IPv6 packets

    Synopsis: `MarkIP6Header([OFFSET])`

    The IPv6 header begins OFFSET bytes into the packet, and what it carries after it and its extension headers, of which at most
    8 are gone through. (To Click's element it is always right after the 40 bytes of the header.) Nothing is checked: for
    packets from a network use CheckIP6Header.

    Arguments:

      - OFFSET: bytes in front of the IPv6 header; below zero it lies before the packet's data, where Strip has been. Default 0.

    Ports: one input, one output.

    Example:

        FromDevice(eth0) -> MarkIP6Header(14) -> DecIP6HLIM -> Discard;
    """

    bears_offloads = True
    args = (Optional("OFFSET", Integer(signed=True), 0),)
    weight = 150

"""StripIP6Header: off with the IPv6 header."""

from __future__ import annotations

from clickbpf.vocabulary.element import Element


class StripIP6Header(Element):
    """removes the outermost IPv6 header with its extension headers

    Synopsis: `StripIP6Header`

    Everything in front of the transport header annotation goes. The annotations themselves stay: the network header is still
    the one that is gone, so that UnstripIP6Header can bring it back. For an IP packet within, a CheckIPHeader or CheckIP6Header
    has to follow, which marks the inner header. A packet that ends before its transport header is left with no bytes, which
    the runtime reports on standard error; one without the annotation is dropped.

    Ports: one input, one output.

    Example: the receiving end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> StripIP6Header -> CheckIP6Header -> Discard;
    """

    aliases = ("StripIP6",)
    weight = 15

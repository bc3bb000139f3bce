"""StripGREHeader: off with the GRE header."""

from __future__ import annotations

from clickbpf.vocabulary.element import Element


class StripGREHeader(Element):
    """removes GRE headers

    Synopsis: `StripGREHeader`

    A class of FastClick. The GRE header at the packet's start goes, as long as its flags say that it is: 4 to 16 bytes. A packet
    that ends within it is dropped; CheckGREHeader would have found it.

    Ports: one input, one output.

    Example: Ethernet frames out of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow ip proto gre) -> StripIPHeader
            -> CheckGREHeader -> StripGREHeader -> Queue -> ToDevice(eth1);
    """

    weight = 20

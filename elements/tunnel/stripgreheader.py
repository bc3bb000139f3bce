from __future__ import annotations

from clickbpf.vocabulary.element import Element


class StripGREHeader(Element):
    """removes GRE headers

    Synopsis: `StripGREHeader`

    A class of FastClick. Removes the GRE header at the start of the packet, which has 4 to 16 bytes, depending on its flags. A
    packet that ends within the header is dropped; CheckGREHeader finds such packets.

    Ports: one input, one output.

    Example: Ethernet frames out of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow ip proto gre) -> StripIPHeader
            -> CheckGREHeader -> StripGREHeader -> Queue -> ToDevice(eth1);
    """

    weight = 20

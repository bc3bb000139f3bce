from clickbpf.declare import Element


class StripGREHeader(Element):
    """removes GRE headers

    A class of FastClick. Removes the GRE header at the start of the packet: 4 to 16 bytes, depending on its flags. Packets with an
    incomplete header are dropped; CheckGREHeader detects them.

    Example: Ethernet frames out of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow ip proto gre) -> StripIPHeader
            -> CheckGREHeader -> StripGREHeader -> Queue -> ToDevice(eth1);
    """

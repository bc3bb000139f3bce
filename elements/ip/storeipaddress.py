from clickbpf.declare import IPAddress

from ._storeaddress import StoreAddress


class StoreIPAddress(StoreAddress):
    """writes an IP address into packets

    Synopsis: `StoreIPAddress(OFFSET)`, `StoreIPAddress(ADDR, OFFSET)`

    Without ADDR, the packet's destination address annotation is written; if that is 0.0.0.0, the packet passes unchanged. ADDR may
    be 0.0.0.0.

    With an OFFSET of `src` or `dst` the address is written into the packet's marked IP header, and checksums are updated (RFC
    1624): the header's, and in the first fragment that of TCP or UDP; a UDP packet without a checksum stays without. With a number
    no checksum is changed: use SetIPChecksum, SetTCPChecksum, SetUDPChecksum.

    A packet too short for OFFSET, or without a marked IP header for `src` and `dst`, leaves unchanged by output 1, or is dropped if
    it isn't connected.

    Example: packets take the next hop as their destination:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> StaticIPLookup(0/0 10.0.0.254 0) -> StoreIPAddress(dst) -> Discard;
    """

    address_type = IPAddress()
    unset = "0.0.0.0"
    #: Where addresses are in an IP header (RFC 791, 3.1).
    places = {"src": 12, "dst": 16}
    weight = 90

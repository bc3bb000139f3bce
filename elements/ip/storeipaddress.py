from clickbpf.declare import IPAddress

from ._storeaddress import StoreAddress


class StoreIPAddress(StoreAddress):
    """writes an IP address into packets

    Synopsis: `StoreIPAddress(OFFSET)`, `StoreIPAddress(ADDR, OFFSET)`

    Without ADDR it is the packet's destination address annotation that is written; where that is 0.0.0.0, the packet
    passes unchanged. ADDR may be 0.0.0.0.

    With an OFFSET of `src` or `dst` the address goes into the packet's marked IP header, whose checksum is updated
    (RFC 1624), and if TCP or UDP follows in the first fragment, so is that one's; a UDP packet without a checksum still has
    none. With a number no checksum is changed: SetIPChecksum, SetTCPChecksum, SetUDPChecksum compute them.

    A packet too short for OFFSET, or without a marked IP header for `src` and `dst`, leaves unchanged by output 1, or is
    dropped if that is not there.

    Ports: one input; output 0, and push output 1 (may be missing) for packets that have no such place.

    Example: packets take the next hop as their destination:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> StaticIPLookup(0/0 10.0.0.254 0) -> StoreIPAddress(dst) -> Discard;
    """

    address_type = IPAddress()
    unset = "0.0.0.0"
    #: Where addresses are in an IP header (RFC 791, 3.1).
    places = {"src": 12, "dst": 16}
    weight = 90

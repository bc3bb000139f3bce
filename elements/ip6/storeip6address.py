from clickbpf.declare import IP6Address

from ..ip._storeaddress import StoreAddress


class StoreIP6Address(StoreAddress):
    """writes an IPv6 address into packets

    Synopsis: `StoreIP6Address(OFFSET)`, `StoreIP6Address(ADDR, OFFSET)`

    Without ADDR, the packet's destination address annotation is written; if that is `::`, the packet passes unchanged. ADDR may
    be `::`.

    With an OFFSET of `src` or `dst`, the address is written into the packet's marked IPv6 header. If TCP, UDP or ICMPv6 follows,
    after at most 8 extension headers and in the first fragment, its checksum is updated (RFC 1624), except for a destination that
    is not the final one, because of a routing header: the checksum doesn't include it. With a number, no checksum is changed:
    SetTCPChecksumIP6, SetUDPChecksumIP6 and ICMP6Checksum compute them.

    A packet that is too short for OFFSET, or, for `src` and `dst`, without a marked IPv6 header, leaves unchanged by output 1, or
    is dropped if there is no output 1. Click has no such element; it is to IPv6 what StoreIPAddress is to IPv4.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header
            -> StoreIP6Address(2001:db8::1, src) -> Discard;
    """

    address_type = IP6Address()
    unset = "::"
    #: Where addresses are in an IPv6 header (RFC 8200, 3).
    places = {"src": 8, "dst": 24}
    weight = 250

from clickbpf.declare import Form, IP6Address, Rest

from ..ip.staticiplookup import StaticIPLookup
from ._decision import Decision6
from ._routetext import Route6Text


class StaticIP6Lookup(StaticIPLookup):
    """looks up the next hop of IPv6 packets in a fixed routing table

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest prefix. If
    that route has a gateway, it becomes the new destination annotation. A packet without a route is dropped.

    The routes can't change: they are compiled to a binary search of nested comparisons, the fastest lookup for up to some hundred
    routes. For more routes, and for routes that change, use LookupIP6Route. Click has no such element; it is to IPv6 what
    StaticIPLookup is to IPv4.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header
            -> rt :: StaticIP6Lookup(2001:db8::1/128 0, 2001:db8::/64 1, ::/0 2001:db8::ff 1);
        rt[0] -> Discard;
        rt[1] -> Discard;
    """

    takes = (Form(needs="DST_IP6"),)
    address = IP6Address()
    args = (
        Rest("ROUTE", Route6Text(), "`ADDR/LENGTH [GATEWAY] OUTPUT`, for example `2001:db8::/32 1` or `::/0 fe80::1 1`; `::` or `-` is no "
            "gateway. An address alone is a prefix of 128 bits. Of several routes for one prefix the first counts"),
    )
    annotations = ("DST_IP6",)
    aliases = ()
    compiled, larger = Decision6, "LookupIP6Route"

    @property
    def weight(self) -> int:  # type: ignore[override]
        return 2 * super().weight

    def code(self) -> str:
        return '#include "ip6/ip6.h"\n' + super().code()

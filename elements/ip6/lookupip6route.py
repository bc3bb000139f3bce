from clickbpf.declare import (
    ANEW, BEARS_OFFLOADS, KEEPS_HEADER, KEPT, THREAD_SAFE, Array, Form, Held, IP6Address, Rest, Vars, read_handler, s32, u8, u32,
)

from ..ip._fib import ROOT_CHUNKS
from ..ip._fibtable import FibTable
from ._code import address_fields
from ._routetext import Route6Text
from ._table import Table6


class LookupIP6Route(FibTable, traits=BEARS_OFFLOADS | KEEPS_HEADER | THREAD_SAFE):
    """looks up the next hop of IPv6 packets in a routing table

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest prefix. If
    that route has a gateway, it becomes the new destination annotation. A packet without a route is dropped.

    The table is that of RadixIPLookup with addresses of 16 bytes: it may change while packets flow. A lookup takes one memory
    access for the first 16 bits of an address, and one for every 8 more bits, down to the longest matching prefix. RadixIP6Lookup
    and DirectIP6Lookup are other names for this class; Click has only LookupIP6Route, which searches all routes for each packet.

    After a write, the `$?` of a Script is that of RadixIPLookup. (The handler `add` of Click's class replaces a route.)

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> GetIP6Address(24)
            -> rt :: LookupIP6Route(2001:db8::1/128 0, 2001:db8::/64 1, ::/0 2001:db8::ff 1);
        rt[0] -> Discard;
        rt[1] -> Discard;
    """

    takes = (Form(needs="DST_IP6"),)
    aliases = ("RadixIP6Lookup", "DirectIP6Lookup")
    address = IP6Address()
    args = (
        Rest("ROUTE", Route6Text(), "`ADDR/LENGTH [GATEWAY] OUTPUT`, for example `2001:db8::/32 1` or `::/0 fe80::1 1`; `::` or `-` is no "
            "gateway. An address alone is a prefix of 128 bits. Of several routes for one prefix the last counts"),
        *FibTable.args[1:],
    )
    annotations = ("DST_IP6",)
    state_types = {
        "fib": Array(lambda element: ROOT_CHUNKS + element.cfg.chunks, cell=u32 * 256),
        "routes": Array(
            lambda element: element.cfg.capacity, addr=u8 * 16, **address_fields("gateway"), port=s32 * 2, length=u32, flags=u32
        ),
        "table": Vars(generation=u32),
    }
    holds = (Held("routes that handlers have changed", ANEW, KEPT),)
    keeping = Table6
    writing = Route6Text
    weight = 400
    last_counts = True

    @read_handler
    def table(self) -> str:
        """a heading, and the routes, one a line."""
        return ("# Active routes\n" if self.routes() else "") + super().table()

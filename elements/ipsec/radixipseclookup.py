from collections.abc import Collection
from typing import Any

from clickbpf.declare import KEPT, ArgError, Array, Constants, Element, Held, Rest, Right, Successor, outliving, read_handler, u32

from ..ip._fibtable import FibTable
from ..ip._route import Route
from ._association import HEADERS, SA_FIELDS, go_on_from
from ._tunnels import TunnelRouteText, TunnelTable

#: Routes that lead into tunnels leave by this output, Click's convention.
INTO_TUNNEL = 1


class RadixIPsecLookup(Successor, FibTable):
    """looks up the next hop in a routing table, and the security association where it is through an IPsec tunnel

    A routing table like RadixIPLookup's, three of whose outputs have a meaning:

      - Packets to routes of output 1 go into a tunnel. The route says which: it has an SPI, keys, and the first
        sequence number. The packet is annotated with these, for IPsecESPEncap, IPsecAuthHMACSHA1, IPsecAES and
        IPsecDES. Its destination annotation becomes the gateway, which is the tunnel's other end, for IPsecEncap.
      - Packets to routes of output 0 are for this host. ESP packets leave by it, with the annotation for the
        association of the SPI in their header, and are dropped if there is none.
      - Other packets for this host leave by output 2.

    Both directions of a tunnel have one SPI and the same keys. Where they differ, as between most other
    implementations, give the incoming association by a route of its own, to an address that nobody has; or use the
    arguments of the elements above instead of the table's annotations.

    Sequence numbers go on as long as SPI and keys stay the same: when a route is set again, or removed and added, in a router
    that replaces this one, and when the runtime is killed and started again. REPLAY and WINDOW of a route that is `set`
    count only if its association is new.

    Packets are IP packets, beginning with their headers. Those that have nothing to do with tunnels stay in the kernel
    path. Keys are in the router's state, which only root can read.

    Arguments:

      - CAPACITY, CHUNKS: as for RadixIPLookup.

    Ports: one push input; as many outputs as there are connections.

    Handlers: those of RadixIPLookup; `table` shows keys, to clients with the right SECRETS.

    Example: a tunnel from 10.0.0.0/24 here to 10.8.0.0/24 behind 18.26.4.1, by DES and HMAC-SHA1:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> rt :: RadixIPsecLookup(
            18.26.4.24/32 0, 18.26.4.1/32 3, 10.0.0.0/24 4,
            10.8.0.0/24 18.26.4.1 1 234 \\<0123456789abcdef0123456789abcdef> \\<112233445566778899aabbccddeeff00> 1 64);
        rt[0] -> StripIPHeader -> IPsecAuthHMACSHA1(1) -> IPsecDES(0, IGNORE 0) -> IPsecESPUnencap -> CheckIPHeader -> [0]rt;
        rt[1] -> IPsecESPEncap -> IPsecDES(1, IGNORE 0) -> IPsecAuthHMACSHA1(0) -> IPsecEncap(50) -> [0]rt;
        rt[2] -> Discard;
        rt[3] -> FixIPSrc(18.26.4.24) -> Discard;
        rt[4] -> Discard;
    """

    args = (
        Rest("ROUTE", TunnelRouteText(), "`ADDR/MASK [GATEWAY] OUTPUT [SPI CIPHER_KEY DIGEST_KEY REPLAY WINDOW]`. CIPHER_KEY has 16, 24 or "
            "32 bytes for AES, 8 for DES (which takes the first eight of a longer one), 24 for 3DES; DIGEST_KEY 16, 20, 32 or 64. They are "
            "data, `\\<0123...>`, or hexadecimal digits. REPLAY is the first sequence number. WINDOW is how many sequence numbers before "
            "the highest received one are tracked, at most 64: older packets are dropped. Routes with one SPI have the same keys"),
        *FibTable.args[1:],
    )
    annotations = (*FibTable.annotations, "IPSEC_SPI", "IPSEC_SA_DATA_REFERENCE")
    headers = HEADERS
    keeping = TunnelTable
    writing = TunnelRouteText
    state_types = {
        **FibTable.state_types,
        "tunnels": Array(lambda element: element.cfg.capacity, association=u32),
        "associations": outliving(Array(lambda element: element.cfg.capacity, **SA_FIELDS)),
        "spis": Array(lambda element: element.spi_slots, association=u32),
    }
    holds = (Held("sequence numbers and replay windows", KEPT, KEPT),)
    weight = 90

    @property
    def spi_slots(self) -> int:
        """A power of two, at most half of which is used."""
        return 1 << (2 * self.cfg.capacity - 1).bit_length()

    def numbered(self) -> list[Any]:
        return self.keeping.numbered(self.state)

    def succeed(self, before: Collection[Element]) -> None:
        self.keeping.remember(self.state, go_on_from(self.numbered(), before))

    def constants(self) -> Constants:
        return {
            **super().constants(),
            "capacity": ("__u32", str(self.cfg.capacity)),
            "spi_slots": ("__u32", str(self.spi_slots)),
        }

    def code(self) -> str:
        return f'{super().code()}#include "ipsec/sa.h"\n'

    @read_handler(needs=Right.SECRETS)
    def table(self) -> str:
        return super().table()

    def check(self, route: Route) -> None:
        super().check(route)
        if route.port == INTO_TUNNEL and not getattr(route, "tunnel", None):
            raise ArgError(f"the route '{route}' leads into a tunnel but has none", "output 1 needs SPI and keys")
        if self.state:
            self.now.check(route)

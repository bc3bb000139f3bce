from collections.abc import Collection
from typing import Any

from clickbpf.declare import KEPT, ArgError, Array, Constants, Element, Held, Rest, Right, Successor, outliving, read_handler, u32

from ..ip._fibtable import FibTable
from ..ip._route import Route
from ._association import HEADERS, SA_FIELDS, go_on_from
from ._tunnels import TunnelRouteText, TunnelTable

#: The output of routes into tunnels, by Click's convention.
INTO_TUNNEL = 1


class RadixIPsecLookup(Successor, FibTable):
    """looks up the next hop in a routing table, and the security association where it is through an IPsec tunnel

    A routing table like RadixIPLookup's, with special meanings for three outputs:

      - Packets to routes of output 1 go into a tunnel. The route has the tunnel's SPI, keys, and first sequence number, as an
        annotation of the packet for IPsecESPEncap, IPsecAuthHMACSHA1, IPsecAES and IPsecDES. The destination annotation becomes the
        gateway, the tunnel's other end, for IPsecEncap.
      - Packets to routes of output 0 are for this host. ESP packets leave by output 0, annotated with the association of the SPI in
        their header; without an association they are dropped.
      - Other packets for this host leave by output 2.

    Both directions of a tunnel have the same SPI and keys. If they must differ, as in most other implementations, add a route for
    the incoming association, to an unused address; or use the arguments of the elements above instead of the table's annotations.

    While SPI and keys stay the same, sequence numbers continue: when a route is set again, or removed and added, in a replacing
    router, and after the runtime has been killed and restarted. REPLAY and WINDOW of a `set` route apply only if its association is
    new.

    Packets are IP packets, beginning with their headers. Packets unrelated to tunnels stay in the kernel path. Keys are in the
    router's state, readable by root only.

    The handler `table` shows keys, to clients with the right SECRETS.

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
            "data, `\\<0123...>`, or hexadecimal digits. REPLAY is the first sequence number. WINDOW is the number of sequence numbers to "
            "track before the highest received one, at most 64: older packets are dropped. Routes with the same SPI must have the "
            "same keys"),
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
        """The size of `spis`: a power of two, at least twice the number of associations."""
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

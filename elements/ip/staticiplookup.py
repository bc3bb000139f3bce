from typing import ClassVar

from clickbpf.declare import ArgError

from ._decision import Decision, find_linear
from ._iproutetable import IPRouteTable
from ._route import Route

#: Estimated instructions beyond which a table is refused: jumps of a BPF program reach 32767 instructions.
LARGEST = 24_000


class StaticIPLookup(IPRouteTable):
    """looks up the next hop in a fixed routing table

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest
    prefix. If that route has a gateway, it becomes the new destination annotation. A packet without a route is dropped.

    The routes can't change: they are compiled, to nested comparisons in the order of addresses, which is the fastest
    that a table of up to some hundred routes can be. For larger ones, and for routes that come and go, there is RadixIPLookup.

    LookupIPRoute is the name that this class had in early versions of Click, and LookupIPRouteMP that of FastClick's for several threads.

    Arguments:

      - ROUTE: `ADDR/MASK [GATEWAY] OUTPUT`, for example `18.26.4.0/24 1` or `0/0 18.26.4.1 1`; `-` is no gateway. An
        address alone is a prefix of 32 bits. Masks may have holes; then of the routes that match a later one counts if
        its mask has all the ones of the one before. Of several routes for one prefix the first counts.

    Ports: one push input; as many outputs as there are connections.

    Handlers:

      - `lookup ADDRESS` (read): the output and the gateway, if any, for an address; -1 if there is no route.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> rt :: StaticIPLookup(10.0.0.1/32 0, 10.0.0.0/24 1, 0/0 10.0.0.254 1);
        rt[0] -> Discard;
        rt[1] -> Discard;
    """

    aliases = ("LookupIPRoute", "LookupIPRouteMP")

    #: How routes are compiled, and the class for more of them.
    compiled: ClassVar[type[Decision]] = Decision
    larger: ClassVar[str] = "RadixIPLookup"

    def configure(self) -> None:
        super().configure()
        self._decision = self.compiled(self.cfg.routes)
        if self.weight > LARGEST:
            raise ArgError(f"{len(self.cfg.routes)} routes are too many to compile", f"use {self.larger}")

    @property
    def weight(self) -> int:  # type: ignore[override]
        return self._decision.weight

    def code(self) -> str:
        return self._decision.code()

    def routes(self) -> list[Route]:
        return list(self.cfg.routes)

    def find(self, address: int) -> Route | None:
        return find_linear(self.cfg.routes, address)

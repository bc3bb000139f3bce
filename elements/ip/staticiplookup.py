from typing import ClassVar

from clickbpf.declare import ArgError

from ._decision import Decision, find_linear
from ._iproutetable import IPRouteTable
from ._route import Route

#: The largest estimate of instructions: jumps in a BPF program reach 32767 instructions.
LARGEST = 24_000


class StaticIPLookup(IPRouteTable):
    """looks up the next hop in a fixed routing table

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest
    prefix. If that route has a gateway, it becomes the new destination annotation. A packet without a route is dropped.

    The routes can't change: they are compiled to a binary search of nested comparisons, the fastest lookup for up to some hundred
    routes. For more routes, and for routes that change, use RadixIPLookup.

    LookupIPRoute is the class's name in early versions of Click, LookupIPRouteMP the name of FastClick's variant for several
    threads.

    Arguments:

      - ROUTE: `ADDR/MASK [GATEWAY] OUTPUT`, for example `18.26.4.0/24 1` or `0/0 18.26.4.1 1`; `-` is no gateway. An
        address alone is a prefix of 32 bits. Masks may have holes; then, of the matching routes, a later one counts if its mask
        includes the mask of the one before. Of several routes for one prefix the first counts.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> rt :: StaticIPLookup(10.0.0.1/32 0, 10.0.0.0/24 1, 0/0 10.0.0.254 1);
        rt[0] -> Discard;
        rt[1] -> Discard;
    """

    aliases = ("LookupIPRoute", "LookupIPRouteMP")

    #: The compiler of routes, and the class for more of them.
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

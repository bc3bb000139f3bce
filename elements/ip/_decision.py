"""Fixed routes as C code.

SELF(hop)(address) returns the number of a next hop, or -1; SELF(take)(p, hop) applies it. The two steps limit the verifier's work:
it follows each hop onwards, not each prefix, and hops are few.
"""

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address
from itertools import groupby, pairwise
from typing import ClassVar

from clickbpf.declare import IPAddress

from ._route import Route

#: The first address of a range, and the route of all addresses up to the next range.
Stretch = tuple[int, "Route | None"]
Hop = tuple[int, int]


class Decision:
    """C for a fixed list of routes with different prefixes."""

    #: Bits of an address, and its declaration as a C parameter.
    bits: ClassVar[int] = 32
    parameter: ClassVar[str] = "__u32 address"

    def __init__(self, routes: Sequence[Route]):
        self.routes = routes
        self.hops: list[Hop] = list(dict.fromkeys((route.gateway, route.port) for route in routes))
        self.stretches = None if any(route.length is None for route in routes) else _stretches(routes, self.bits)
        starts = [start for start, _ in self.stretches or ()]
        self._single = {start for start, end in pairwise([*starts, 1 << self.bits]) if end == start + 1}

    @property
    def weight(self) -> int:
        """Estimated BPF instructions."""
        return 20 + 6 * len(self.hops) + (4 * len(self.stretches) if self.stretches else 8 * len(self.routes))

    def code(self) -> str:
        body = "".join(self._chain() if self.stretches is None else (*self.ahead(), *self.tree(self.stretches, 1)))
        cases = "".join(self._take(number, *hop) for number, hop in enumerate(self.hops))
        return (
            f"static __always_inline int SELF(hop)({self.parameter})\n{{\n{body}}}\n\n"
            "static __always_inline int SELF(take)(struct pkt *p, int hop)\n"
            f"{{\n\tswitch (hop) {{\n{cases}\tdefault:\n\t\treturn DROP(NO_ROUTE);\n\t}}\n}}\n"
        )

    def ahead(self) -> Iterator[str]:
        """C for addresses with a faster way than the search."""
        return iter(())

    def below(self, border: int) -> str:
        """C for whether the address is below `border`."""
        return f"address < {border:#010x}"

    def shown(self, border: int) -> str:
        """An address in its usual notation."""
        return str(IPv4Address(border))

    def set_next_hop(self, gateway: int) -> str:
        """C that sets the destination annotation to the gateway."""
        return f"pkt_set_dst_ip(p, {IPAddress().c_value(IPv4Address(gateway))})"

    def _take(self, number: int, gateway: int, port: int) -> str:
        next_hop = f"\t\t{self.set_next_hop(gateway)};\n" if gateway else ""
        return f"\tcase {number}:\n{next_hop}\t\treturn OUTPUT({port});\n"

    def _number(self, route: Route | None) -> int:
        return -1 if route is None else self.hops.index((route.gateway, route.port))

    def tree(self, stretches: Sequence[Stretch], depth: int) -> list[str]:
        """A binary search among ranges, as nested comparisons."""
        tabs = "\t" * depth
        if len(stretches) == 1:
            route = stretches[0][1]
            return [f"{tabs}return {self._number(route)};\t/* {route.prefix if route else 'no route'} */\n"]
        middle = len(stretches) // 2
        border = stretches[middle][0]
        return [
            f"{tabs}if ({self._expected(self.below(border), stretches, middle)}) {{\t/* {self.shown(border)} */\n",
            *self.tree(stretches[:middle], depth + 1),
            f"{tabs}}} else {{\n",
            *self.tree(stretches[middle:], depth + 1),
            f"{tabs}}}\n",
        ]

    def _expected(self, test: str, stretches: Sequence[Stretch], middle: int) -> str:
        """The test, in C, with its likely result: packets for ranges are likely beside those for single addresses."""
        few = [all(start in self._single for start, _ in side) for side in (stretches[:middle], stretches[middle:])]
        return {(False, True): f"likely({test})", (True, False): f"unlikely({test})"}.get(tuple(few), test)

    def _chain(self) -> Iterator[str]:
        """One comparison for each route, for masks with holes: see `find_linear`."""
        yield "\t__u32 mask = 0;\n\tint hop = -1;\n\n"
        for route in self.routes:
            yield (
                f"\tif (!((address ^ {route.addr:#010x}) & {route.mask:#010x}) && !(mask & ~{route.mask:#010x}u)) {{\n"
                f"\t\tmask = {route.mask:#010x};\n\t\thop = {self._number(route)};\t/* {route.prefix} */\n\t}}\n"
            )
        yield "\treturn hop;\n"


def find_linear(routes: Sequence[Route], address: int) -> Route | None:
    """The route to an address: of those that match, the last one whose mask includes the mask of the match before it.

    For masks without holes this is the longest prefix; for others, the order counts, as in Click.
    """
    found = None
    for route in routes:
        if route.contains(address) and (found is None or not found.mask & ~route.mask):
            found = route
    return found


def _stretches(routes: Sequence[Route], bits: int) -> list[Stretch]:
    """All addresses, from 0 on, cut where the next hop changes."""
    borders: list[Stretch] = [(0, None)]
    around: list[tuple[int, Route | None]] = [(1 << bits, None)]

    def leave(until: int) -> None:
        while around[-1][0] <= until:
            end, _ = around.pop()
            borders.append((end, around[-1][1]))

    for route in sorted(routes, key=lambda route: (route.addr, route.mask)):
        leave(route.addr)
        borders.append((route.addr, route))
        around.append((route.addr + (1 << (bits - route.length)), route))
    leave((1 << bits) - 1)
    last_at = {start: route for start, route in borders if start < 1 << bits}
    changes = groupby(last_at.items(), key=lambda stretch: stretch[1] and stretch[1][2:])
    return [next(group) for _, group in changes]

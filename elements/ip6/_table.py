"""The routes of an IPv6 table in memory that both executors share."""

from array import array
from collections.abc import Iterable
from ipaddress import IPv6Address

from ..ip._routes import Listed, Routes, swapped
from ..ip._table import USED, Table, make_prefix
from ._code import get_address, set_address
from ._decision import LOW
from ._plainroutes import Routes6
from ._route import Route, Route6


class Table6(Table):
    """A Table of 128-bit addresses. There are two copies of a route's hop, so that a change takes effect by one store."""

    bits = 128

    def _open(self, entries) -> None:
        self._routes = entries
        self._halves = [entries.column("addr", "Q", half) for half in (0, 1)]
        self._gateways = [entries.column("gateway", "Q", half) for half in (0, 1)]
        self._ports, self._lengths_of = entries.column("port", "i"), entries.column("length")

    def _prefixes(self) -> Iterable[tuple[int, int]]:
        high, low = (swapped(array("Q", column.tobytes())) for column in self._halves)
        return ((make_prefix(high[number] << 64 | low[number], self._length(number)), number) for number in self._used())

    def _length(self, number: int) -> int:
        return self._lengths_of[number]

    def _write_all(self, routes: Listed | Routes) -> None:
        """Write the first entries, which nothing refers to yet; the first copy of each hop is in use."""
        routes = Routes6.of(routes)
        for columns, numbers in ((self._halves, routes.addrs), (self._gateways, routes.gateways)):
            columns[0][: len(routes)] = swapped(array("Q", (number >> 64 for number in numbers)))
            columns[1][: len(routes)] = swapped(array("Q", (number & LOW for number in numbers)))
        self._ports[: len(routes)] = routes.ports
        self._lengths_of[: len(routes)] = array("I", (mask.bit_count() for mask in routes.masks))
        self._flags[: len(routes)] = array("I", (USED,)) * len(routes)

    def _read(self, number: int) -> Route6:
        entry = self._routes[number]
        gateway, address = get_address(entry, "gateway"), int.from_bytes(bytes(entry.addr), "big")
        return Route6(address, (1 << 128) - (1 << (128 - entry.length)), int(gateway), entry.port[entry.gateway_half])

    def _write(self, number: int, route: Route) -> None:
        entry = self._routes[number]
        entry.addr[:], entry.length = route.addr.to_bytes(16, "big"), route.mask.bit_count()
        self._set_hop(number, route)
        entry.flags = USED

    def _set_hop(self, number: int, route: Route) -> None:
        entry = self._routes[number]
        entry.port[1 - entry.gateway_half] = route.port
        set_address(entry, "gateway", IPv6Address(route.gateway))

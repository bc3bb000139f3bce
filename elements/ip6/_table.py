"""The routes of an IPv6 table in memory that both executors share."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv6Address

from ..ip._routes import Listed, Routes
from ..ip._table import USED, Table, prefix_of
from ._code import get_address, set_address
from ._route import Route, Route6


class Table6(Table):
    """A Table of 128-bit addresses. A route's value is there twice, so that it changes in one store."""

    bits = 128

    def _open(self, entries) -> None:
        self._routes = entries

    def _prefixes(self) -> Iterable[tuple[int, int]]:
        return ((prefix_of(self._read(number)), number) for number in self._used())

    def _length(self, number: int) -> int:
        return self._routes[number].length

    def _write_all(self, routes: Listed | Routes) -> None:
        for number, route in enumerate(routes):
            self._write(number, route)

    def _read(self, number: int) -> Route6:
        entry = self._routes[number]
        gateway, address = get_address(entry, "gateway"), int.from_bytes(bytes(entry.addr), "big")
        return Route6(address, _mask(entry.length), int(gateway), entry.port[entry.gateway_half])

    def _write(self, number: int, route: Route) -> None:
        entry = self._routes[number]
        entry.addr[:], entry.length = route.addr.to_bytes(16, "big"), route.mask.bit_count()
        self._set_hop(number, route)
        entry.flags = USED

    def _set_hop(self, number: int, route: Route) -> None:
        entry = self._routes[number]
        entry.port[1 - entry.gateway_half] = route.port
        set_address(entry, "gateway", IPv6Address(route.gateway))


def _mask(length: int) -> int:
    return (1 << 128) - (1 << (128 - length))

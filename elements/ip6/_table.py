"""The routes of an IPv6 table in memory that both executors share."""

from __future__ import annotations

from ipaddress import IPv6Address

from ..ip._table import USED, Table
from ._code import get_address, set_address
from ._route import Route, Route6


class Table6(Table):
    """A Table of 128-bit addresses. A route's value is there twice, so that it changes in one store."""

    bits = 128

    def _read(self, number: int) -> Route6:
        entry = self._routes[number]
        gateway, address = get_address(entry, "gateway"), int.from_bytes(bytes(entry.addr), "big")
        return Route6(address, _mask(entry.length), int(gateway), entry.port[entry.gateway_half])

    def _write(self, number: int, route: Route) -> None:
        entry = self._routes[number]
        entry.addr[:], entry.length = route.addr.to_bytes(16, "big"), route.mask.bit_count()
        self._set_hop(entry, route)
        entry.flags = USED

    def _set_hop(self, entry, route: Route) -> None:
        entry.port[1 - entry.gateway_half] = route.port
        set_address(entry, "gateway", IPv6Address(route.gateway))


def _mask(length: int) -> int:
    return (1 << 128) - (1 << (128 - length))

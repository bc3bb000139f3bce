"""The routes of a table in memory that both executors share, and how they change.

Two arrays: `routes`, the table as people know it, and `fib`, the trie that finds a route's number (see _fib.py). What
else is remembered here only speeds up changes, and is made anew from the arrays when another process has changed them.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from ctypes import c_uint64

from ._fib import Fib, NoChunk
from ._route import Route

#: Flag of an entry of `routes` that is a route.
USED = 1


class Table:
    """The routes of one element in shared memory, with longest-prefix semantics; prefixes are (address, length)."""

    #: The length of an address.
    bits = 32

    def __init__(self, state):
        self._routes, self._shared, self._fib = state.routes, state.table, Fib(state.fib, self.bits)
        self._numbers: dict[tuple[int, int], int] = {}
        self._free: list[int] = []
        self._fresh = 0
        for number, entry in enumerate(self._routes):
            if entry.flags & USED:
                self._numbers[_prefix(self._read(number))] = number
                self._free += range(self._fresh, number)
                self._fresh = number + 1
        self._generation = self._shared.generation

    @property
    def is_current(self) -> bool:
        """False if another process has changed the routes."""
        return self._generation == self._shared.generation

    def __iter__(self) -> Iterator[Route]:
        return (self._read(number) for number in sorted(self._numbers.values()))

    def find(self, address: int) -> Route | None:
        """The route to an address."""
        cell = self._fib.lookup(address)
        return self._read(cell - 1) if cell else None

    def get(self, route: Route) -> Route | None:
        """The route of the same prefix."""
        number = self._numbers.get(_prefix(route))
        return None if number is None else self._read(number)

    def build(self, routes: tuple[Route, ...]) -> None:
        """Fill an empty table."""
        for number, route in enumerate(routes):
            self._write(number, route)
            self._numbers[_prefix(route)] = number
        self._fresh = len(routes)
        by_length = sorted(self._numbers.items(), key=lambda item: item[0][1])
        self._fib.build((address, length, number + 1) for (address, length), number in by_length)
        self._changed()

    def add(self, route: Route) -> None:
        """Add a route whose prefix is not there yet; MemoryError if there is no room for another, NoChunk for its prefix."""
        if not self._free and self._fresh == len(self._routes):
            raise MemoryError
        number = self._free[0] if self._free else self._fresh
        prefix = _prefix(route)
        self._write(number, route)
        try:
            self._fib.add(*prefix, self._parent(*prefix), number + 1)
        except NoChunk:
            self._routes[number].flags = 0
            raise
        if self._free:
            heapq.heappop(self._free)
        else:
            self._fresh += 1
        self._numbers[prefix] = number
        self._changed()

    def replace(self, route: Route) -> None:
        """Give the prefix, which is there, another gateway and output: both in one store."""
        self._set_hop(self._routes[self._numbers[_prefix(route)]], route)
        self._changed()

    def remove(self, route: Route) -> None:
        """Remove the route of this prefix, which is there."""
        prefix = _prefix(route)
        number = self._numbers.pop(prefix)
        self._fib.remove(*prefix, self._parent(*prefix), number + 1)
        self._routes[number].flags = 0
        heapq.heappush(self._free, number)
        self._changed()

    def clear(self) -> None:
        """Remove all routes."""
        self._fib.clear()
        for number in self._numbers.values():
            self._routes[number].flags = 0
        self._numbers.clear()
        self._free, self._fresh = [], 0
        self._changed()

    def _parent(self, address: int, length: int) -> int:
        """Value in the trie of the longest prefix that covers this one, 0 if there is none."""
        found = self._fib.lookup(address)
        if not found or self._read(found - 1).mask.bit_count() < length:
            return found
        for shorter in range(length - 1, -1, -1):
            number = self._numbers.get((address >> (self.bits - shorter) << (self.bits - shorter), shorter))
            if number is not None:
                return number + 1
        return 0

    def _read(self, number: int) -> Route:
        entry = self._routes[number]
        return Route(entry.addr, entry.mask, entry.gateway, entry.port)

    def _write(self, number: int, route: Route) -> None:
        entry = self._routes[number]
        entry.addr, entry.mask = route.addr, route.mask
        self._set_hop(entry, route)
        entry.flags = USED

    def _set_hop(self, entry, route: Route) -> None:
        copy = type(entry)(gateway=route.gateway, port=route.port)
        offset = type(entry).gateway.offset
        c_uint64.from_buffer(entry, offset).value = c_uint64.from_buffer(copy, offset).value

    def _changed(self) -> None:
        self._generation = self._shared.generation = (self._generation + 1) & 0xFFFFFFFF


def _prefix(route: Route) -> tuple[int, int]:
    return route.addr, route.mask.bit_count()

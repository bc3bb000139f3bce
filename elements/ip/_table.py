"""A routing table in memory shared by both executors.

It consists of two arrays: `routes`, and `fib`, the trie that finds a route's number (_fib.py). Everything else here only speeds up
changes, and is rebuilt from the arrays for the first change, and after another process has changed them.
"""

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import compress, count
from socket import htonl, ntohl
from struct import Struct
from sys import byteorder

from ._fib import Fib, NoChunk
from ._numbers import Numbers
from ._route import Route
from ._routes import Listed, Routes, by_mask, swapped

#: Flag of an entry of `routes` in use.
USED = 1
#: A prefix is one number: the address, and the length in the bits below.
_LENGTH_BITS = 8
_LENGTH = (1 << _LENGTH_BITS) - 1
#: A hop in memory: the gateway in network byte order, the output in host order.
_GATEWAY, _PORT = Struct(">I"), Struct("=i")


class Table:
    """The routes of one element in shared memory, with longest-prefix semantics."""

    #: The length of an address.
    bits = 32

    def __init__(self, state):
        self._fib = Fib(state.fib, self.bits)
        self._capacity = len(state.routes)
        self._flags = state.routes.column("flags")
        self._open(state.routes)
        #: A word that counts changes by all processes.
        self._changes = state.table.column("generation")
        self._generation = self._changes[0]

    @property
    def is_current(self) -> bool:
        """False if another process has changed the routes."""
        return self._generation == self._changes[0]

    def __iter__(self) -> Iterator[Route]:
        return map(self._read, self._used())

    def find(self, address: int) -> Route | None:
        """The route to an address."""
        cell = self._fib.lookup(address)
        return self._read(cell - 1) if cell else None

    def get(self, route: Route) -> Route | None:
        """The route of the same prefix."""
        number = self._numbers.get(prefix_of(route))
        return None if number is None else self._read(number)

    def build(self, routes: Listed | Routes) -> None:
        """Fill an empty table."""
        self._write_all(routes)
        self._fib.build(routes.addrs, {mask.bit_count(): numbers for mask, numbers in by_mask(routes.masks).items()})
        self._changed()

    def add(self, route: Route) -> bool:
        """Add a route, unless its prefix has one; returns whether it was added. MemoryError if `routes` is full, NoChunk if `fib`
        is."""
        length = route.mask.bit_count()
        prefix, numbers = make_prefix(route.addr, length), self._numbers
        if numbers.get(prefix) is not None:
            return False
        number = numbers.unused
        if number == self._capacity:
            raise MemoryError
        self._write(number, route)
        try:
            self._fib.add(route.addr, length, self._parent(route.addr, length), number + 1)
        except NoChunk:
            self._flags[number] = 0
            raise
        numbers.take(prefix)
        if length not in self._lengths:
            self._lengths = sorted((*self._lengths, length), reverse=True)
        self._changed()
        return True

    def replace(self, route: Route) -> None:
        """Replace gateway and output of an existing prefix, in one store."""
        self._set_hop(self._numbers.get(prefix_of(route)), route)
        self._changed()

    def remove(self, route: Route) -> None:
        """Remove the route of an existing prefix."""
        prefix = prefix_of(route)
        number, length = self._numbers.give_back(prefix), prefix & _LENGTH
        self._fib.remove(route.addr, length, self._parent(route.addr, length), number + 1)
        self._flags[number] = 0
        self._changed()

    def clear(self) -> None:
        """Remove all routes."""
        self._fib.clear()
        self._flags[:] = array("I", bytes(4 * self._capacity))
        self._numbers = Numbers(())
        self._changed()

    def _used(self) -> Iterator[int]:
        """The numbers of all routes, in ascending order."""
        return compress(count(), self._flags)

    @cached_property
    def _numbers(self) -> Numbers:
        """The numbers of the prefixes' routes."""
        return Numbers(self._prefixes())

    @cached_property
    def _lengths(self) -> list[int]:
        """All lengths that prefixes have or had, the longest first."""
        return sorted({self._length(number) for number in self._used()}, reverse=True)

    def _parent(self, address: int, length: int) -> int:
        """The value in the trie of the longest prefix that covers this one, or 0."""
        found = self._fib.lookup(address)
        if not found or self._length(found - 1) < length:
            return found
        get, bits = self._numbers.get, self.bits
        for shorter in self._lengths:
            if shorter < length and (number := get(make_prefix(address >> bits - shorter << bits - shorter, shorter))) is not None:
                return number + 1
        return 0

    def _changed(self) -> None:
        self._generation = self._changes[0] = (self._generation + 1) & 0xFFFFFFFF

    # -- the entries of `routes` --------------------------------------------------------------------------------------

    def _open(self, entries) -> None:
        self._addrs, self._masks, self._gateways = map(entries.column, ("addr", "mask", "gateway"))
        self._ports = entries.column("port", "i")
        #: Gateways and outputs at once.
        self._hops = entries.column("gateway", "Q")

    def _prefixes(self) -> Iterable[tuple[int, int]]:
        """(prefix, number) of all routes."""
        addrs, masks = (swapped(array("I", column.tobytes())) for column in (self._addrs, self._masks))
        return ((make_prefix(addrs[number], masks[number].bit_count()), number) for number in self._used())

    def _length(self, number: int) -> int:
        return self._masks[number].bit_count()

    def _read(self, number: int) -> Route:
        gateway, port = ntohl(self._gateways[number]), self._ports[number]
        return Route(ntohl(self._addrs[number]), ntohl(self._masks[number]), gateway, port)

    def _write(self, number: int, route: Route) -> None:
        self._addrs[number], self._masks[number] = htonl(route.addr), htonl(route.mask)
        self._set_hop(number, route)
        self._flags[number] = USED

    def _write_all(self, routes: Listed | Routes) -> None:
        """Write the first entries, which nothing refers to yet."""
        routes = Routes.of(routes)
        columns = (self._addrs, routes.addrs), (self._masks, routes.masks), (self._gateways, routes.gateways)
        for column, values in columns:
            column[: len(routes)] = swapped(array("I", values))
        self._ports[: len(routes)] = routes.ports
        self._flags[: len(routes)] = array("I", (USED,)) * len(routes)

    def _set_hop(self, number: int, route: Route) -> None:
        self._hops[number] = int.from_bytes(_GATEWAY.pack(route.gateway) + _PORT.pack(route.port), byteorder)


def prefix_of(route: Route) -> int:
    return make_prefix(route.addr, route.mask.bit_count())


def make_prefix(address: int, length: int) -> int:
    return address << _LENGTH_BITS | length

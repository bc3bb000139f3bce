"""Routing tables that change while packets flow: LinearIPLookup, RadixIPLookup and DirectIPLookup are all this one.

Two arrays are shared by both executors: `routes`, the table as people know it, and `fib`, the trie that finds a route's
number (see _fib.py). What else is remembered here only speeds up changes, and is made anew from the arrays when another
process has changed them.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from ctypes import c_uint64

from clickbpf.args import ArgError, Integer, Keyword
from clickbpf.element import write_handler
from clickbpf.lang.config import shift_word, uncomment
from clickbpf.state import Array, Vars, be32, s32, u32

from ._code import own_name
from ._fib import ROOT_CHUNKS, Fib, NoChunk
from ._iproutetable import IPRouteTable
from ._route import ANY_PORT, Route, RouteText

#: Flag of an entry of `routes` that is a route.
USED = 1
#: Least capacity without CAPACITY.
LEAST_CAPACITY = 256
#: Most routes that may be asked for: an int of C counts them.
MOST_ROUTES = 1 << 26

#: What the manual pages of the three classes have in common; they fill in what is their own.
MANUAL = """{summary}

    Synopsis: `{name}([ROUTE, ..., CAPACITY ..., CHUNKS ...])`

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest
    prefix. If that route has a gateway, it becomes the new destination annotation. A packet without a route is dropped.

    {about}

    Packets meet no lock: while routes change, each one is looked up in the table before or after a change of the
    route for its own destination. Adding a route takes the longer the more addresses it covers: mostly some microseconds,
    for a default route some milliseconds, or most of a second where there are a million others. The table is a multibit
    trie with strides of 16, 8 and 8 bits: one to three memory accesses a packet, in the kernel as in user space.

    Arguments:

      - ROUTE: `ADDR/MASK [GATEWAY] OUTPUT`, for example `18.26.4.0/24 1` or `0/0 18.26.4.1 1`; `-` is no gateway. An
        address alone is a prefix of 32 bits. Of several routes for one prefix the first counts. Masks have no holes.
      - CAPACITY: most routes that the table will ever have. Default twice the configured ones, at least 256.
      - CHUNKS: room for prefixes longer than 16 bits, in chunks of 1 kB. Each 16-bit prefix with longer ones inside takes
        one, and each 24-bit prefix with longer ones inside. Default two for each route of CAPACITY, but not more than
        65536 and one for each 64 routes, which is ample for a full table of the Internet.

    Ports: one push input; as many outputs as there are connections.

    Handlers:

      - `table` (read): the routes, one a line.
      - `lookup ADDRESS` (read): the output and the gateway, if any, for an address; -1 if there is no route.
      - `add ADDR/MASK [GATEWAY] OUTPUT` (write): adds a route; fails if its prefix has one.
      - `set ADDR/MASK [GATEWAY] OUTPUT` (write): adds a route, or replaces that of the same prefix.
      - `remove ADDR/MASK [GATEWAY OUTPUT]` (write): removes a route; gateway and output, if given, have to be its own.
      - `ctrl` (write): lines that each begin with `add`, `set` or `remove`. If one fails, those before it are undone.
      - `flush` (write): removes all routes.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> rt :: {name}(10.0.0.1/32 0, 10.0.0.0/24 1, 0/0 10.0.0.254 1, CAPACITY 10000);
        rt[0] -> Discard;
        rt[1] -> Discard;
    """


class Table:
    """The routes of one element in shared memory, with longest-prefix semantics; prefixes are (address, length)."""

    def __init__(self, state):
        self._routes, self._shared, self._fib = state.routes, state.table, Fib(state.fib)
        self._numbers: dict[tuple[int, int], int] = {}
        self._free: list[int] = []
        self._fresh = 0
        for number, entry in enumerate(self._routes):
            if entry.flags & USED:
                self._numbers[_prefix(_route(entry))] = number
                self._free += range(self._fresh, number)
                self._fresh = number + 1
        self._generation = self._shared.generation

    @property
    def is_current(self) -> bool:
        """False if another process has changed the routes."""
        return self._generation == self._shared.generation

    def __iter__(self) -> Iterator[Route]:
        return (_route(self._routes[number]) for number in sorted(self._numbers.values()))

    def find(self, address: int) -> Route | None:
        """The route to an address."""
        cell = self._fib.lookup(address)
        return _route(self._routes[cell - 1]) if cell else None

    def get(self, route: Route) -> Route | None:
        """The route of the same prefix."""
        number = self._numbers.get(_prefix(route))
        return None if number is None else _route(self._routes[number])

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
        for shorter in range(length - 1, -1, -1):
            number = self._numbers.get((address >> (32 - shorter) << (32 - shorter), shorter))
            if number is not None:
                return number + 1
        return 0

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


def _route(entry) -> Route:
    return Route(entry.addr, entry.mask, entry.gateway, entry.port)


def _prefix(route: Route) -> tuple[int, int]:
    return route.addr, route.mask.bit_count()


class FibTable(IPRouteTable):
    """Base of the tables that change: arguments for their size, and the handlers that change them."""

    args = (
        *IPRouteTable.args,
        Keyword("CAPACITY", Integer(low=1, high=MOST_ROUTES)),
        Keyword("CHUNKS", Integer(high=MOST_ROUTES)),
    )
    state_types = {
        "fib": Array(lambda element: ROOT_CHUNKS + element.cfg.chunks, cell=u32 * 256),
        "routes": Array(lambda element: element.cfg.capacity, addr=be32, mask=be32, gateway=be32, port=s32, flags=u32),
        "table": Vars(generation=u32),
    }
    weight = 70
    _table: Table | None = None

    def configure(self) -> None:
        super().configure()
        cfg, wanted = self.cfg, len(self.cfg.routes)
        needed = _chunks_needed(cfg.routes)
        if cfg.capacity is None:
            cfg.capacity = max(LEAST_CAPACITY, 1 << (2 * wanted - 1).bit_length() if wanted else 0)
        if cfg.chunks is None:
            cfg.chunks = max(needed, min(2 * cfg.capacity, 65536 + cfg.capacity // 64))
        if cfg.capacity < wanted:
            raise ArgError(f"{wanted} routes don't fit", "raise CAPACITY", argument="CAPACITY")
        if cfg.chunks < needed:
            raise ArgError(f"the routes need {needed} chunks", "raise CHUNKS", argument="CHUNKS")

    def check(self, route: Route) -> None:
        super().check(route)
        _check_mask(route)

    def code(self) -> str:
        return own_name(self)

    def initialise(self) -> None:
        self._table = Table(self.state)
        self._table.build(self.cfg.routes)

    @property
    def now(self) -> Table:
        """The table as it is now, whoever has changed it."""
        if self._table is None or not self._table.is_current:
            self._table = Table(self.state)
        return self._table

    def routes(self) -> list[Route]:
        return list(self.now)

    def find(self, address: int) -> Route | None:
        return self.now.find(address)

    # -- changes; each returns what undoes it -------------------------------------------------------------------------

    def add_route(self, route: Route, replace: bool = False) -> Callable[[], object]:
        """Add a route; if its prefix is there already, replace that one or raise ArgError."""
        old = self.now.get(route)
        if old and not replace:
            raise ArgError(f"conflict with existing route '{old}'", "'set' replaces it")
        if old:
            self.now.replace(route)
            return lambda: self.now.replace(old)
        try:
            self.now.add(route)
        except MemoryError:
            raise ArgError(f"no memory to store route '{route}'", f"raise CAPACITY, which is {self.cfg.capacity}") from None
        except NoChunk:
            raise ArgError(f"no memory to store route '{route}'", f"raise CHUNKS, which is {self.cfg.chunks}") from None
        return lambda: self.now.remove(route)

    def remove_route(self, route: Route) -> Callable[[], object]:
        """Remove the route that `route` matches."""
        old = self.now.get(route)
        if old is None or not route.matches(old):
            raise ArgError(f"route '{route}' not found")
        self.now.remove(old)
        return lambda: self.now.add(old)

    def command(self, name: str, text: str) -> Callable[[], object]:
        """Carry out `add`, `set` or `remove`."""
        removal = name == "remove"
        try:
            route = RouteText(removal).parse(text, self.context)
        except ArgError as error:
            raise ArgError(f"expected '{RouteText(removal).describe()}'", error.message) from None
        if not removal:
            self.check(route)
            return self.add_route(route, name == "set")
        if route.port != ANY_PORT:
            super().check(route)
        _check_mask(route)
        return self.remove_route(route)

    # -- handlers -----------------------------------------------------------------------------------------------------

    @write_handler
    def add(self, text: str) -> None:
        self.command("add", text)

    @write_handler
    def set(self, text: str) -> None:
        self.command("set", text)

    @write_handler
    def remove(self, text: str) -> None:
        self.command("remove", text)

    @write_handler
    def ctrl(self, text: str) -> None:
        """All lines are carried out, or none."""
        done: list[Callable[[], object]] = []
        for number, line in enumerate(text.splitlines(), 1):
            name, rest = shift_word(uncomment(line))
            if not name:
                continue
            try:
                if name not in ("add", "set", "remove"):
                    raise ArgError(f"bad command '{name}'", "use add, set or remove")
                done.append(self.command(name, rest))
            except ArgError as error:
                for undo in reversed(done):
                    undo()
                raise ArgError(f"line {number}: {error.message}", error.hint) from None

    @write_handler
    def flush(self, _: str) -> None:
        self.now.clear()


def _check_mask(route: Route) -> None:
    if route.length is None:
        raise ArgError(f"the mask of {route.prefix} has holes", "StaticIPLookup takes such masks")


def _chunks_needed(routes: tuple[Route, ...]) -> int:
    """Chunks of the trie that has these routes."""
    long = [route for route in routes if route.mask & 0xFFFF]
    longest = [route for route in long if route.mask & 0xFF]
    return len({route.addr >> 16 for route in long}) + len({route.addr >> 8 for route in longest})

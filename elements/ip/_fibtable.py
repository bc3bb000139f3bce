"""Routing tables that change while packets flow: the base of LinearIPLookup, RadixIPLookup and DirectIPLookup."""

import errno
from collections.abc import Callable
from functools import cached_property

from clickbpf.declare import (
    ANEW, BEARS_OFFLOADS, KEEPS_HEADER, KEPT, THREAD_SAFE, ArgError, Array, Held, Integer, Keyword, Vars, be32, s32, u32, uncomment,
    write_handler,
)

from ._fib import ROOT_CHUNKS, NoChunk
from ._iproutetable import IPRouteTable
from ._route import ANY_PORT, Route
from ._routes import Listed, Routes, by_mask
from ._routetext import RouteText, RouteWords
from ._table import Table

#: Least capacity without CAPACITY.
LEAST_CAPACITY = 256
#: The largest CAPACITY: C counts routes in an int.
MOST_ROUTES = 1 << 26

#: The common text of the three classes' manual pages; each class fills in the differences.
MANUAL = """{summary}

    Each packet leaves by the output of the route for its destination address annotation, the one with the longest
    prefix. If that route has a gateway, it becomes the new destination annotation. A packet without a route is dropped.

    {about}

    Lookups take no lock: while routes change, each packet sees the route for its destination as it was before or after the change.
    The time to add a route grows with the addresses that it covers: usually some microseconds, for a default route some
    milliseconds, or most of a second in a table of a million routes. The table is a multibit trie with strides of 16, 8 and 8 bits:
    one to three memory accesses a packet, in the kernel as in user space.

    After a write, the `$?` of a Script is 0, or a negative error number: -17 if the prefix already has a route, -2 if the route is
    not found, -12 for no memory, and -22 for invalid text. After `ctrl` it is that of the command that failed.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> rt :: {name}(10.0.0.1/32 0, 10.0.0.0/24 1, 0/0 10.0.0.254 1, CAPACITY 10000);
        rt[0] -> Discard;
        rt[1] -> Discard;
    """


class FibTable(IPRouteTable, traits=BEARS_OFFLOADS | KEEPS_HEADER | THREAD_SAFE):
    """Base of the tables that change: arguments for their size, and handlers that change them while the kernel path reads them."""

    args = (
        *IPRouteTable.args,
        Keyword("CAPACITY", Integer(low=1, high=MOST_ROUTES), text="the most routes that the table will ever have. Default twice the "
            "configured ones, at least 256"),
        Keyword("CHUNKS", Integer(high=MOST_ROUTES), text="room for prefixes longer than 16 bits, in chunks of 1 kB. Each prefix of 16, 24 "
            "and so on bits with longer ones inside takes one. Default two for each route of CAPACITY, but not more than 65536 and one for "
            "each 64 routes, which is ample for a full table of the Internet; and always a quarter more than the configured routes take"),
    )
    state_types = {
        "fib": Array(lambda element: ROOT_CHUNKS + element.cfg.chunks, cell=u32 * 256),
        "routes": Array(lambda element: element.cfg.capacity, addr=be32, mask=be32, gateway=be32, port=s32, flags=u32),
        "table": Vars(generation=u32),
    }
    holds = (Held("routes that handlers have changed", ANEW, KEPT),)
    weight = 70
    #: How its routes are stored and printed; overridden by tables whose routes have more properties.
    keeping: type[Table] = Table
    writing: type[RouteWords] = RouteText
    _table: Table | None = None

    def configure(self) -> None:
        super().configure()
        cfg, wanted = self.cfg, len(self.cfg.routes)
        needed = chunks_needed(cfg.routes, self.keeping.bits)
        if cfg.capacity is None:
            cfg.capacity = max(LEAST_CAPACITY, 1 << (2 * wanted - 1).bit_length() if wanted else 0)
        if cfg.chunks is None:
            cfg.chunks = max(needed + needed // 4, min(2 * cfg.capacity, 65536 + cfg.capacity // 64))
        if cfg.capacity < wanted:
            raise ArgError(f"{wanted} routes don't fit", "raise CAPACITY", argument="CAPACITY")
        if cfg.chunks < needed:
            raise ArgError(f"the routes need {needed} chunks", "raise CHUNKS", argument="CHUNKS")

    def check(self, route: Route) -> None:
        super().check(route)
        _check_mask(route)

    def initialise(self) -> None:
        """The state here may be a copy, and a runtime that continues with a table in the kernel doesn't fill it: so don't keep a
        Table."""
        self.keeping(self.state).build(self.cfg.routes)

    @cached_property
    def _readers(self) -> tuple[RouteWords, RouteWords]:
        """The readers of routes, and of routes to remove."""
        return self.writing(), self.writing(removal=True)

    @property
    def now(self) -> Table:
        """The current table, including changes by other processes."""
        if self._table is None or not self._table.is_current:
            self._table = self.keeping(self.state)
        return self._table

    def routes(self) -> list[Route]:
        return list(self.now)

    def find(self, address: int) -> Route | None:
        return self.now.find(address)

    # -- changes; each returns what undoes it -------------------------------------------------------------------------

    def add_route(self, route: Route, replace: bool = False) -> Callable[[], object]:
        """Add a route; if its prefix already has one, replace that or raise ArgError."""
        table = self.now
        try:
            if table.add(route):
                return lambda: self.now.remove(route)
        except MemoryError:
            raise _full(route, f"raise CAPACITY, which is {self.cfg.capacity}") from None
        except NoChunk:
            raise _full(route, f"raise CHUNKS, which is {self.cfg.chunks}") from None
        old = table.get(route)
        if not replace:
            raise ArgError(f"conflict with existing route '{old}'", "'set' replaces it", result=-errno.EEXIST)
        table.replace(route)
        return lambda: self.now.replace(old)

    def remove_route(self, route: Route) -> Callable[[], object]:
        """Remove the route that `route` matches."""
        table = self.now
        old = table.get(route)
        if old is None or not route.matches(old):
            raise ArgError(f"route '{route}' not found", result=-errno.ENOENT)
        table.remove(old)
        return lambda: self.now.add(old)

    def command(self, name: str, text: str = "") -> Callable[[], object]:
        """Carry out `add`, `set` or `remove`."""
        removal = name == "remove"
        reader = self._readers[removal]
        try:
            route = reader.parse(text, self.context)
        except ArgError as error:
            raise ArgError(f"expected '{reader.describe()}'", error.message) from None
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
        """`ROUTE`, adds a route; fails if its prefix has one."""
        self.command("add", text)

    @write_handler
    def set(self, text: str) -> None:
        """`ROUTE`, adds a route, or replaces the one with the same prefix."""
        self.command("set", text)

    @write_handler
    def remove(self, text: str) -> None:
        """`ROUTE`, removes a route. Gateway and output may be missing; if given, they must match."""
        self.command("remove", text)

    @write_handler
    def ctrl(self, text: str) -> None:
        """lines that each begin with `add`, `set` or `remove`. If one fails, those before it are undone."""
        done: list[Callable[[], object]] = []
        for number, line in enumerate(text.splitlines(), 1):
            name, *rest = (uncomment(line) if "/*" in line or "//" in line else line).split(None, 1) or [""]
            if not name:
                continue
            try:
                if name not in ("add", "set", "remove"):
                    raise ArgError(f"bad command '{name}'", "use add, set or remove")
                done.append(self.command(name, *rest))
            except ArgError as error:
                for undo in reversed(done):
                    undo()
                raise ArgError(f"line {number}: {error.message}", error.hint, result=error.result) from None

    @write_handler
    def flush(self, _: str) -> None:
        """removes all routes."""
        self.now.clear()


def _full(route: Route, hint: str) -> ArgError:
    return ArgError(f"no memory to store route '{route}'", hint, result=-errno.ENOMEM)


def _check_mask(route: Route) -> None:
    if route.length is None:
        raise ArgError(f"the mask of {route.prefix} has holes", "StaticIPLookup takes such masks")


def chunks_needed(routes: Listed | Routes, bits: int) -> int:
    """The chunks of a trie of these routes, of addresses with `bits` bits: at each level, one for each common beginning of longer
    prefixes."""
    addrs, groups = routes.addrs, {mask.bit_count(): numbers for mask, numbers in by_mask(routes.masks).items()}
    within: set[int] = set()
    needed = 0
    for rest in range(8, bits - 15, 8):
        longer = (numbers for length, numbers in groups.items() if bits - rest < length <= bits - rest + 8)
        within = {address >> 8 for address in within}
        within.update(addrs[number] >> rest for numbers in longer for number in numbers)
        needed += len(within)
    return needed

import errno
import time
from heapq import heappop, heappush
from ipaddress import IPv4Address

from clickbpf.declare import (
    ANEW, CONTROL, KEPT, ArgError, Element, Held, IPAddress, Integer, Keyword, RequiredKeyword, Self, frozen, read_handler, split_words,
    write_handler,
)

from ..timestamps._time import unparse_timestamp

SECOND = 10**9
#: The period, in ns, of computing routes and forgetting old links.
PERIOD = 5 * SECOND
#: Routes of this metric or a higher one aren't shown.
TOO_FAR = 777777
NUMBER = Integer(32)


@frozen
class Link:
    """A link from one host to another: `age` in seconds at the time `at`, in ns."""

    metric: int
    seq: int
    age: int
    at: int

    def age_at(self, now: int) -> int:
        return self.age + now // SECOND - self.at // SECOND


#: For each host: its metric, and the previous host on the route.
Tree = dict[IPv4Address, tuple[int, IPv4Address]]


class LinkTable(Element, ports="0/0", runs=CONTROL):
    """stores links between hosts of a mesh, and computes the shortest routes

    Every five seconds, and when its handler is called, it forgets links that are too old, and computes the routes from this host to
    all others and back with the least sum of link metrics (Dijkstra's algorithm). Handlers enter links and show routes; Click's
    elements that use the table, of its SR protocol, aren't supported.

    Handlers:

      - `links`, `hosts` (read): a line for each link: its ends, metric, sequence number and age; a line for each host.
      - `routes`, `routes_from`, `routes_to` (read): a line for each route from this host, or to it: its other end, hops, metric,
        and the hosts on the route with the metrics between them. `routes_old`: the same with sequence numbers and ages.

    Example:

        mesh :: LinkTable(IP 10.0.0.1);
        Script(write mesh.update_link 10.0.0.1 10.0.0.2 100 1 0, write mesh.dijkstra, print mesh.routes);
    """

    args = (
        RequiredKeyword("IP", IPAddress(), "this host's address"),
        Keyword("STALE", Integer(32, signed=True), 120, "the seconds after which a link without updates is forgotten"),
        Keyword("CAPACITY", Integer(32, low=1, high=1 << 20), 4096, "the most links, and the most hosts; hosts without links make room "
            "for others"),
    )
    holds = (Held("links", KEPT, ANEW),)

    def configure(self) -> None:
        if not int(self.cfg.ip):
            raise ArgError("IP not specified", "an address other than 0.0.0.0", argument="IP")

    def begin(self) -> None:
        self._links: dict[tuple[IPv4Address, IPv4Address], Link] = {}
        self._hosts = {self.cfg.ip}
        self._blacklist: dict[IPv4Address, None] = {}
        self._trees: dict[bool, Tree] = {True: {}, False: {}}
        self._took = 0
        self._next = 0

    def take_state(self, before: Self) -> None:
        self._links, self._hosts = dict(before._links), before._hosts | {self.cfg.ip}
        self.dijkstra("")

    # -- links ----------------------------------------------------------------------------------------------------------

    def _now(self) -> int:
        """The current time, after doing everything due by then."""
        now = self.runtime.clock if self.runtime else time.monotonic_ns()
        if now >= self._next:
            due = now - now % PERIOD
            self._next = due + PERIOD
            self._links = {ends: link for ends, link in self._links.items() if link.age_at(due) <= self.cfg.stale}
            self.dijkstra("")
        return now

    @write_handler
    def update_link(self, text: str) -> None:
        """`FROM TO METRIC SEQ AGE`, a link that was measured AGE seconds ago. Updates without a higher sequence number than the
        last are ignored, and so is a metric of 0.
        """
        words = split_words(text)
        if len(words) != 5:
            raise ArgError(f"expected five words, there are {len(words)}", "FROM TO METRIC SEQ AGE")
        ends = tuple(IPAddress().parse(word, self.context) for word in words[:2])
        metric, seq, age = (NUMBER.parse(word, self.context) for word in words[2:])
        now = self._now()
        if not all(map(int, ends)) or not metric or age > self.cfg.stale:
            return
        known = self._links.get(ends)
        if known is not None and seq <= known.seq:
            return
        if known is None:
            self._make_room(ends)
        self._hosts.update(ends)
        self._links[ends] = Link(metric, seq, age, now)

    def _make_room(self, ends: tuple[IPv4Address, ...]) -> None:
        """Make room for a link: if its hosts don't fit, forget hosts without links. ArgError if that isn't enough."""
        if len(self._hosts.union(ends)) > self.cfg.capacity:
            self._hosts = {self.cfg.ip}.union(*self._links)
        if len(self._links) >= self.cfg.capacity or len(self._hosts.union(ends)) > self.cfg.capacity:
            raise ArgError(f"the table is full, with {len(self._links)} links and {len(self._hosts)} hosts", result=-errno.ENOMEM)

    @write_handler
    def clear(self, text: str) -> None:
        """forgets all links, and all hosts but this one."""
        self._links, self._hosts = {}, {self.cfg.ip}
        self._trees = {True: {}, False: {}}

    @read_handler
    def links(self) -> str:
        now = self._now()
        return "".join(f"{a} {b} {link.metric} {link.seq} {link.age_at(now)}\n" for (a, b), link in self._links.items())

    hosts = read_handler(lambda self: "".join(f"{host}\n" for host in sorted(self._hosts)))

    # -- routes ---------------------------------------------------------------------------------------------------------

    @write_handler
    def dijkstra(self, text: str) -> None:
        """computes all routes now. `dijkstra_time` (read): how many seconds that took."""
        start = time.perf_counter_ns()
        self._trees = {from_me: self._tree(from_me) for from_me in (True, False)}
        self._took = time.perf_counter_ns() - start

    def _tree(self, from_me: bool) -> Tree:
        """The shortest route to each reachable host, or from each host that can reach this one."""
        neighbours: dict[IPv4Address, list[tuple[IPv4Address, int]]] = {}
        for ends, link in self._links.items():
            here, there = ends if from_me else reversed(ends)
            neighbours.setdefault(here, []).append((there, link.metric))
        tree: Tree = {}
        reached = [(0, self.cfg.ip, self.cfg.ip)]
        while reached:
            metric, host, before = heappop(reached)
            if host in tree:
                continue
            tree[host] = metric, before
            for there, more in neighbours.get(host, ()):
                if there not in tree:
                    heappush(reached, (metric + more, there, host))
        return tree

    def _route(self, host: IPv4Address, from_me: bool) -> list[IPv4Address]:
        """The hosts on a route, in order; none if the route no longer exists."""
        tree, route = self._trees[from_me], [host]
        while route[-1] != self.cfg.ip:
            if route[-1] not in tree:
                return []
            route.append(tree[route[-1]][1])
        return route[::-1] if from_me else route

    def _shown(self, from_me: bool) -> list[list[tuple[IPv4Address, Link | None]]]:
        """Routes as lists of hosts, each with the link to the next one."""
        routes = []
        for host in sorted(self._hosts):
            route = self._route(host, from_me)
            links = [self._links.get(ends) for ends in zip(route, route[1:])]
            if not links or None in links or not self._blacklist.keys().isdisjoint(route):
                continue
            if sum(link.metric for link in links) < TOO_FAR:
                routes.append(list(zip(route, (*links, None))))
        return routes

    def _lines(self, from_me: bool) -> str:
        self._now()
        lines = []
        for route in self._shown(from_me):
            metrics = [link.metric for _, link in route if link]
            way = "".join(f"{host} ({link.metric}) " if link else f"{host}" for host, link in route)
            lines.append(f"{route[-1][0]} hops {len(metrics)} metric {sum(metrics)} {way}\n")
        return "".join(lines)

    routes = read_handler(lambda self: self._lines(True))
    routes_from = read_handler(lambda self: self._lines(True))
    routes_to = read_handler(lambda self: self._lines(False))

    @read_handler
    def routes_old(self) -> str:
        now, lines = self._now(), []
        for route in self._shown(True):
            steps = (f"{host} {link.metric} ({link.seq},{link.age_at(now)}) " if link else f"{host}" for host, link in route)
            lines.append(f"{route[-1][0]}  {''.join(steps)}\n")
        return "".join(lines)

    @read_handler
    def dijkstra_time(self) -> str:
        self._now()
        return f"{unparse_timestamp(self._took)}\n"

    # -- the blacklist --------------------------------------------------------------------------------------------------

    @read_handler
    def blacklist(self) -> str:
        """hosts whose routes aren't shown. `blacklist_add`, `blacklist_remove`, `blacklist_clear` (write) change it."""
        return "".join(f"{host} " for host in self._blacklist) + "\n"

    @write_handler
    def blacklist_add(self, text: str) -> None:
        host = IPAddress().parse(text.strip(), self.context)
        if len(self._blacklist) >= self.cfg.capacity:
            raise ArgError(f"the blacklist is full, with {len(self._blacklist)} hosts", result=-errno.ENOMEM)
        self._blacklist[host] = None

    @write_handler
    def blacklist_remove(self, text: str) -> None:
        self._blacklist.pop(IPAddress().parse(text.strip(), self.context), None)

    @write_handler
    def blacklist_clear(self, text: str) -> None:
        self._blacklist.clear()

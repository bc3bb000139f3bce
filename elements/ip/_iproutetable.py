"""The base of all IP routing tables: elements with routes, of which the longest prefix counts."""

from collections.abc import Iterable, Iterator
from itertools import count, islice
from typing import ClassVar

from clickbpf.declare import BEARS_OFFLOADS, KEEPS_HEADER, MOST_MISTAKES, PUSH, ArgError, Element, Form, IPAddress, Rest, Type, read_handler

from ._route import Route
from ._routes import Listed, Routes, distinct
from ._routetext import RouteText


class IPRouteTable(Element, ports="1/-", processing=PUSH, traits=BEARS_OFFLOADS | KEEPS_HEADER):
    """Base of the routing tables: routes as arguments, and the read handlers."""

    takes = (Form(needs="DST_IP"),)

    #: What its addresses are.
    address: ClassVar[Type] = IPAddress()
    #: Whether of several routes for one prefix the last counts.
    last_counts: ClassVar[bool] = False
    args = (
        Rest("ROUTE", RouteText(), "`ADDR/MASK [GATEWAY] OUTPUT`, for example `18.26.4.0/24 1` or `0/0 18.26.4.1 1`; `-` is no gateway. An "
            "address alone is a prefix of 32 bits. Of several routes for one prefix the first counts. Masks have no holes"),
    )
    annotations = ("DST_IP",)

    def configure(self) -> None:
        """Set `cfg.routes`: one route for each prefix."""
        wrong = [*islice(self._mistakes(self.cfg.route), MOST_MISTAKES + 1)]
        if len(wrong) > MOST_MISTAKES:
            wrong[-1] = ArgError("too many mistakes", "the routes from here on were not checked", argument="ROUTE", index=wrong[-1].index)
        if wrong:
            raise ExceptionGroup("routes", wrong)
        self.cfg.routes = distinct(self.cfg.route, last=self.last_counts)

    def warnings(self) -> Iterable[ArgError]:
        """Where the first route counts Click warns, too, but says that later ones replace it."""
        routes = self.cfg.route
        hidden = len(routes) - len(self.cfg.routes)
        if not hidden:
            return
        known: set[tuple[int, int]] = set()
        again = next(n for n, prefix in enumerate(zip(routes.addrs, routes.masks)) if prefix in known or known.add(prefix))
        several = "1 route has" if hidden == 1 else f"{hidden} routes have"
        message = f"{several} no effect: of several for one prefix the {'last' if self.last_counts else 'first'} counts"
        said = "" if self.last_counts else f"warning: {hidden} route{'s' * (hidden > 1)} replaced by later versions"
        yield ArgError(message, "leave the others out", argument="ROUTE", index=again, in_click=said)

    def _mistakes(self, routes: Listed | Routes) -> Iterator[ArgError]:
        examples = dict(zip(routes.kinds(), count()))
        bad = {kind for kind, index in examples.items() if self._mistake(routes[index])}
        for index, kind in enumerate(routes.kinds() if bad else ()):
            if kind in bad:
                error = self._mistake(routes[index])
                yield ArgError(error.message, error.hint, argument="ROUTE", index=index)

    def _mistake(self, route: Route) -> ArgError | None:
        try:
            self.check(route)
        except ArgError as error:
            return error
        return None

    def check(self, route: Route) -> None:
        """ArgError if a table can't have the route."""
        if not 0 <= route.port < self.noutputs:
            there = ", ".join(map(str, range(self.noutputs))) or "none"
            raise ArgError(f"bad OUTPUT {route.port}", f"the outputs that are connected: {there}")

    def routes(self) -> list[Route]:
        """The routes as they are now, in the table's order."""
        raise NotImplementedError(type(self).__name__)

    def find(self, address: int) -> Route | None:
        """The route to an address, in host order."""
        raise NotImplementedError(type(self).__name__)

    table = read_handler(lambda self: "".join(f"{route.row}\n" for route in self.routes()), text="the routes, one a line.")

    @read_handler
    def lookup(self, address: str = "") -> str:
        """`lookup ADDRESS`: the output and the gateway, if any, for an address; -1 if there is no route."""
        try:
            wanted = int(self.address.parse(address.strip(), self.context))
        except ArgError:
            raise ArgError(f"expected {self.address.describe().partition(' ')[2]}", "read it as 'lookup ADDRESS'") from None
        route = self.find(wanted)
        return route.hop if route else "-1"

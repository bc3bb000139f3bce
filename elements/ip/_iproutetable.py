"""What all IP routing tables are: elements with routes, of which the longest prefix counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from clickbpf.args import ArgError, IPAddress, Rest, Type
from clickbpf.vocabulary.element import PUSH, Element, read_handler

from ._route import Route, RouteText


class IPRouteTable(Element):
    """Base of the routing tables: routes as arguments, and the handlers that only look."""

    bears_offloads = True

    #: What its addresses are.
    address: ClassVar[Type] = IPAddress()
    ports = "1/-"
    processing = PUSH
    args = (Rest("ROUTE", RouteText()),)
    annotations = ("DST_IP",)

    def configure(self) -> None:
        """`cfg.routes` is the configured routes; of several with one prefix the first stays, as in Click."""
        wrong = [error for index, route in enumerate(self.cfg.route) for error in self._mistakes(route, index)]
        if wrong:
            raise ExceptionGroup("routes", wrong)
        self.cfg.routes = tuple(self.distinct(self.cfg.route))

    def distinct(self, routes: Iterable[Route]) -> Iterable[Route]:
        """One route for each prefix, the first."""
        firsts: dict[tuple[int, int], Route] = {}
        for route in routes:
            firsts.setdefault(route[:2], route)
        return firsts.values()

    def _mistakes(self, route: Route, index: int):
        try:
            self.check(route)
        except ArgError as error:
            yield ArgError(error.message, error.hint, argument="ROUTE", index=index)

    def check(self, route: Route) -> None:
        """ArgError if a table can't have the route."""
        if not 0 <= route.port < self.noutputs:
            there = f"outputs 0 to {self.noutputs - 1} are connected" if self.noutputs else "no output is connected"
            raise ArgError(f"bad OUTPUT {route.port}", there)

    def routes(self) -> list[Route]:
        """The routes as they are now, in the table's order."""
        raise NotImplementedError(type(self).__name__)

    def find(self, address: int) -> Route | None:
        """The route to an address, in host order."""
        raise NotImplementedError(type(self).__name__)

    @read_handler
    def table(self) -> str:
        return "".join(f"{route.row}\n" for route in self.routes())

    @read_handler
    def lookup(self, address: str = "") -> str:
        try:
            wanted = int(self.address.parse(address.strip(), self.context))
        except ArgError:
            raise ArgError(f"expected {self.address.describe().partition(' ')[2]}", "read it as 'lookup ADDRESS'") from None
        route = self.find(wanted)
        return route.hop if route else "-1"

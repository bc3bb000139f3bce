"""Routes of IPv6 as configurations and handlers write them: ADDR/LENGTH [GATEWAY] OUTPUT."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from clickbpf.declare import NOWHERE, Context, IP6Address, IP6Prefix, Type, frozen

from ..ip._routetext import RouteWords
from ._plainroutes import PLAIN6, Routes6
from ._route import Route6


@frozen
class Route6Text(RouteWords):
    """Reads IPv6 routes, thousands at a time in the usual form; with `removal` the output may be missing."""

    gateway: ClassVar[Type] = IP6Address()

    def parse(self, text: str, context: Context = NOWHERE) -> Route6:
        return Route6(*super().parse(text, context))

    def run(self, config: str, start: int) -> tuple[Sequence[Route6], int]:
        return PLAIN6.many(config, start)

    def collect(self, parts: Iterable[Sequence[Route6]]) -> Sequence[Route6]:
        return Routes6.joined(parts)

    def _prefix(self, word: str, context: Context) -> tuple[int, int]:
        network = IP6Prefix().parse(word, context).network
        return int(network.network_address), int(network.netmask)

    def describe(self) -> str:
        return super().describe().replace("MASK", "LENGTH")

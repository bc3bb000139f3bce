"""Routes as configurations and handlers write them: ADDR/MASK [GATEWAY] OUTPUT."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import ClassVar

from clickbpf.declare import NOWHERE, ArgError, Bulk, Context, IPAddress, IPPrefixNonContiguous, Type, frozen, split_words, written_integer

from ._plainroutes import PLAIN
from ._route import ANY_PORT, Route
from ._routes import Listed, Routes

#: Outputs are clamped to this and its negative, which are invalid as well.
LARGEST = (1 << 31) - 1
#: The hint about a route as `ip route` has it.
_NOT_LINUX = "as in '10.0.1.0/24 10.0.0.254 1', for output 1; the default route is that of 0.0.0.0/0, for IPv6 of ::/0"


@frozen
class RouteWords(Bulk):
    """Reads routes one by one; with `removal` the output may be missing. Doesn't check that the output exists."""

    removal: bool = False
    #: What gateways are.
    gateway: ClassVar[Type] = IPAddress()

    def parse(self, text: str, context: Context = NOWHERE) -> Route:
        words = split_words(text)
        try:
            return self._route(text, words, context)
        except ArgError:
            if not {"via", "dev", "default"} & set(words):
                raise
            raise self.wrong(text, hint=_NOT_LINUX) from None

    def _route(self, text: str, words: list[str], context: Context) -> Route:
        if not 1 <= len(words) <= 3:
            raise self.wrong(text)
        address, mask = self._prefix(words[0], context)
        gateway, rest = self._gateway(words[1:], context)
        port = ANY_PORT if self.removal and not rest else self._port(rest)
        if port is None:
            what = f"a number, not '{' '.join(rest)[:60]}'" if rest else "missing"
            raise self.wrong(text, hint=f"OUTPUT is {what}; '{words[0]} 0' is a route by output 0")
        return Route(address, mask, gateway, port)

    def _prefix(self, word: str, context: Context) -> tuple[int, int]:
        """Address and mask."""
        prefix = IPPrefixNonContiguous().parse(word, context)
        return int(prefix.network), int(prefix.mask)

    def _gateway(self, words: list[str], context: Context) -> tuple[int, list[str]]:
        """The gateway, 0 for none, and the words after it."""
        if words and words[0] == "-":
            return 0, words[1:]
        try:
            return int(self.gateway.parse(words[0], context)), words[1:]
        except (ArgError, IndexError):
            return 0, words

    def _port(self, words: list[str]) -> int | None:
        port = written_integer(words[0]) if len(words) == 1 else None
        return None if port is None else max(-LARGEST, min(port, LARGEST))

    def run(self, config: str, start: int) -> tuple[Sequence[Route], int]:
        return (), start

    def collect(self, parts: Iterable[Sequence[Route]]) -> Sequence[Route]:
        return Listed(chain(*parts))

    def describe(self) -> str:
        return "ADDR/MASK [GATEWAY OUTPUT]" if self.removal else "ADDR/MASK [GATEWAY] OUTPUT"


class RouteText(RouteWords):
    """Reads IPv4 routes, thousands at a time in the usual form."""

    def parse(self, text: str, context: Context = NOWHERE) -> Route:
        return PLAIN.one(text, self.removal) or super().parse(text, context)

    def run(self, config: str, start: int) -> tuple[Sequence[Route], int]:
        return PLAIN.many(config, start)

    def collect(self, parts: Iterable[Sequence[Route]]) -> Sequence[Route]:
        return Routes.joined(parts)

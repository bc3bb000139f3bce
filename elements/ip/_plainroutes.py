"""A fast reader for the usual form of routes in large tables, ADDRESS/LENGTH [GATEWAY] OUTPUT: by regular expressions, thousands at
a time, without an object for each."""

import re
from array import array
from collections.abc import Callable, Iterable
from operator import and_
from socket import inet_aton

from ._route import ANY_PORT, Route
from ._routes import Routes, swapped

#: Routes that are read at a time.
STEP = 1 << 14

SPACE = r"[ \t\n\v\f\r]+"
GAP = r"(?:[ \t\n\v\f\r]|//[^\n\r]*[\n\r]|/\*(?:[^*]|\*(?!/))*\*/)*"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"


class PlainRoutes:
    """A reader of routes in this form.

    `routes` is the class for their columns, `bits` the length of addresses. `address` and `length` are regular expressions; a match
    of `address` needn't be valid: `packed` converts it to bytes, or raises OSError. `numbers` converts many addresses from bytes to
    integers.
    """

    def __init__(self, routes: type[Routes], bits: int, address: str, length: str, packed: Callable[[str], bytes], numbers: Callable):
        self._routes, self._address, self._length, self._packed, self._numbers = routes, address, length, packed, numbers
        self._none = routes.of(())
        #: Masks by the text of their length.
        self._masks = {str(length): (1 << bits) - (1 << (bits - length)) for length in range(bits + 1)}
        self._route = re.compile(rf"{self._prefix('(')}(?:{self._hop('(')})?")
        self._argument = re.compile(self._of_argument("("))
        self._arguments = re.compile(rf"(?:{self._of_argument('(?:')}){{0,{STEP}}}")

    def _of_argument(self, group: str) -> str:
        """An argument and the comma after it; `group` begins the regular expression of each word."""
        return rf"{GAP}{self._prefix(group)}{self._hop(group)}{GAP},"

    def _prefix(self, group: str) -> str:
        """ADDRESS/LENGTH."""
        return rf"{group}{self._address})/{group}{self._length})"

    def _hop(self, group: str) -> str:
        """[GATEWAY] OUTPUT, and the space before that."""
        return rf"{SPACE}(?:{group}-|{self._address}){SPACE})?{group}[0-9]{{1,9}})"

    def one(self, text: str, removal: bool = False) -> Route | None:
        """The route in a text of this form, or None for other forms. The output may be missing in a `removal`."""
        match = self._route.fullmatch(text)
        return self._made(match) if match and (match[4] is not None or removal) else None

    def many(self, config: str, start: int) -> tuple[Routes, int]:
        """The routes in the arguments from `start` on, and the beginning of the argument after them (Bulk.run)."""
        end = self._arguments.match(config, start).end()
        if end == start:
            return self._none, start
        addresses, lengths, gateways, ports = zip(*self._argument.findall(config, start, end))
        masks = self._routes.column(map(self._masks.__getitem__, lengths))
        known = _Gateways(self._number)
        try:
            networks = self._routes.column(map(and_, self._numbers(map(self._packed, addresses)), masks))
            hops = self._routes.column(map(known.__getitem__, gateways))
        except OSError:
            return self._sound(config, start)
        return self._routes(networks, masks, hops, array("i", map(int, ports))), end

    def _sound(self, config: str, start: int) -> tuple[Routes, int]:
        """The same, up to the first invalid address."""
        found: list[Route] = []
        while match := self._argument.match(config, start):
            try:
                found.append(self._made(match))
            except OSError:
                break
            start = match.end()
        return self._routes.of(found), start

    def _made(self, match: re.Match) -> Route:
        address, length, gateway, port = match.groups()
        hop = self._number(gateway) if gateway and gateway != "-" else 0
        mask = self._masks[length]
        return self._routes.route(self._number(address) & mask, mask, hop, ANY_PORT if port is None else int(port))

    def _number(self, address: str) -> int:
        return int.from_bytes(self._packed(address), "big")


class _Gateways(dict[str, int]):
    """Gateways' numbers by their texts: tables have few different ones."""

    def __init__(self, number: Callable[[str], int]):
        super().__init__({"": 0, "-": 0})
        self._number = number

    def __missing__(self, text: str) -> int:
        self[text] = self._number(text)
        return self[text]


def _numbers(addresses: Iterable[bytes]) -> array:
    """Addresses of 4 bytes as numbers."""
    return swapped(array("I", b"".join(addresses)))


PLAIN = PlainRoutes(Routes, 32, rf"{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}", "[12]?[0-9]|3[012]", inet_aton, _numbers)

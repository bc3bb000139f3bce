"""Routes in the form that most routes of large tables have, ADDRESS/LENGTH [GATEWAY] OUTPUT, read by regular expressions: in an argument
list by the thousand and without an object for each."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from functools import partial
from operator import and_
from socket import AF_INET6, inet_pton

from ..ip._plainroutes import GAP, SPACE, STEP
from ..ip._routes import Routes, swapped
from ._route import Route6

#: Masks by their lengths' texts.
_MASKS = {str(length): (1 << 128) - (1 << (128 - length)) for length in range(129)}

#: What may be an address: inet_pton() knows. IPv4 addresses within are not of the plain form.
_ADDRESS = r"[0-9a-fA-F]{0,4}:[0-9a-fA-F:]{1,40}"
_LENGTH = r"1[01][0-9]|12[0-8]|[1-9]?[0-9]"


def _argument(group: str) -> str:
    """An argument and the comma after it; `group` is how the regular expressions of its words begin."""
    hop = rf"{SPACE}(?:{group}-|{_ADDRESS}){SPACE})?{group}[0-9]{{1,9}})"
    return rf"{GAP}{group}{_ADDRESS})/{group}{_LENGTH}){hop}{GAP},"


_ARGUMENT = re.compile(_argument("("))
_ARGUMENTS = re.compile(rf"(?:{_argument('(?:')}){{0,{STEP}}}")

_bytes_of = partial(inet_pton, AF_INET6)


class Routes6(Routes):
    """Routes of IPv6 as columns; addresses and masks are lists."""

    __slots__ = ()
    route = Route6

    @staticmethod
    def column(addresses: Iterable[int]) -> list[int]:
        return list(addresses)


_NONE = Routes6.of(())


def plain_routes6(config: str, start: int) -> tuple[Routes6, int]:
    """The routes that are the arguments from `start` on, and where the one after them begins (Bulk.run)."""
    end = _ARGUMENTS.match(config, start).end()
    if end == start:
        return _NONE, start
    addresses, lengths, gateways, ports = zip(*_ARGUMENT.findall(config, start, end))
    masks = [*map(_MASKS.__getitem__, lengths)]
    known = _Gateways({"": 0, "-": 0})
    try:
        networks = [*map(and_, _numbers(map(_bytes_of, addresses)), masks)]
        hops = [*map(known.__getitem__, gateways)]
    except OSError:
        return _sound(config, start)
    return Routes6(networks, masks, hops, array("i", map(int, ports))), end


def _sound(config: str, start: int) -> tuple[Routes6, int]:
    """The same up to the first word that isn't an address."""
    found: list[Route6] = []
    while match := _ARGUMENT.match(config, start):
        address, length, gateway, port = match.groups()
        try:
            hop = _number(gateway) if gateway and gateway != "-" else 0
            found.append(Route6(_number(address) & _MASKS[length], _MASKS[length], hop, int(port)))
        except OSError:
            break
        start = match.end()
    return Routes6.of(found), start


def _number(address: str) -> int:
    return int.from_bytes(_bytes_of(address), "big")


class _Gateways(dict[str, int]):
    """Gateways' texts and numbers; tables have few of them."""

    def __missing__(self, text: str) -> int:
        self[text] = _number(text)
        return self[text]


def _numbers(addresses: Iterable[bytes]) -> Iterator[int]:
    """Addresses of 16 bytes as numbers."""
    halves = swapped(array("Q", b"".join(addresses)))
    return (high << 64 | low for high, low in zip(halves[::2], halves[1::2]))

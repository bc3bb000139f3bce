"""Routes in the form that most routes of large tables have, ADDRESS/LENGTH [GATEWAY] OUTPUT, read by regular expressions: in an argument
list by the thousand and without an object for each."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from operator import and_
from socket import inet_aton

from ._route import ANY_PORT, Route
from ._routes import Routes, swapped

#: Masks by their lengths' texts.
_MASKS = {str(length): (1 << 32) - (1 << (32 - length)) for length in range(33)}
#: Routes that are read at a time.
STEP = 1 << 14

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_ADDRESS = rf"{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}"
SPACE = r"[ \t\n\v\f\r]+"
GAP = r"(?:[ \t\n\v\f\r]|//[^\n\r]*[\n\r]|/\*(?:[^*]|\*(?!/))*\*/)*"


def _prefix(group: str) -> str:
    """ADDRESS/LENGTH; `group` is how the regular expressions of the words begin."""
    return rf"{group}{_ADDRESS})/{group}[12]?[0-9]|3[012])"


def _hop(group: str) -> str:
    """[GATEWAY] OUTPUT, and the space before that."""
    return rf"{SPACE}(?:{group}-|{_ADDRESS}){SPACE})?{group}[0-9]{{1,9}})"


_ROUTE = re.compile(rf"{_prefix('(')}(?:{_hop('(')})?")
_ARGUMENT = re.compile(rf"{GAP}{_prefix('(')}{_hop('(')}{GAP},")
_ARGUMENTS = re.compile(rf"(?:{GAP}{_prefix('(?:')}{_hop('(?:')}{GAP},){{0,{STEP}}}")

_NONE = Routes.of(())


def plain_route(text: str, removal: bool = False) -> Route | None:
    """The route that a text in this form is, without an output if it is a `removal`; None if it is not in it."""
    match = _ROUTE.fullmatch(text)
    if not match:
        return None
    address, length, gateway, port = match.groups()
    if port is None and not removal:
        return None
    mask = _MASKS[length]
    hop = _number(gateway) if gateway and gateway != "-" else 0
    return Route(_number(address) & mask, mask, hop, ANY_PORT if port is None else int(port))


def _number(address: str) -> int:
    return int.from_bytes(inet_aton(address), "big")


def plain_routes(config: str, start: int) -> tuple[Routes, int]:
    """The routes that are the arguments from `start` on, and where the one after them begins (Bulk.run)."""
    end = _ARGUMENTS.match(config, start).end()
    if end == start:
        return _NONE, start
    addresses, lengths, gateways, ports = zip(*_ARGUMENT.findall(config, start, end))
    masks = array("I", map(_MASKS.__getitem__, lengths))
    known = _Gateways({"": bytes(4), "-": bytes(4)})
    networks = array("I", map(and_, _numbers(map(inet_aton, addresses)), masks))
    return Routes(networks, masks, _numbers(map(known.__getitem__, gateways)), array("i", map(int, ports))), end


class _Gateways(dict[str, bytes]):
    """Gateways' texts and bytes; tables have few of them."""

    def __missing__(self, text: str) -> bytes:
        self[text] = inet_aton(text)
        return self[text]


def _numbers(addresses: Iterable[bytes]) -> array:
    """Addresses of 4 bytes as numbers."""
    return swapped(array("I", b"".join(addresses)))

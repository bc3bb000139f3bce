"""A route, as configurations and handlers write it: ADDR/MASK [GATEWAY] OUTPUT."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address
from socket import inet_aton
from typing import ClassVar, NamedTuple

from clickbpf.args import NOWHERE, ArgError, Context, IPAddress, IPPrefixNonContiguous, Prefix, scan_integer
from clickbpf.args.types.base import Type
from clickbpf.lang.config import split_words

_ADDRESS = r"(?:(?:0|[1-9][0-9]{0,2})\.){3}(?:0|[1-9][0-9]{0,2})"
#: How most routes of large tables are written; they are read here, the others by the types of their words.
_PLAIN = re.compile(rf"({_ADDRESS})/([0-9]|[12][0-9]|3[012])[ \t]+(?:(-|{_ADDRESS})[ \t]+)?([0-9]{{1,9}})")

#: In a `remove` that names no output: any.
ANY_PORT = -1


class Route(NamedTuple):
    """Packets to `addr`/`mask` go to `gateway` (0: to their own destination) by output `port`. Addresses in host order."""

    addr: int
    mask: int
    gateway: int
    port: int

    @property
    def prefix(self) -> Prefix:
        return Prefix(IPv4Address(self.addr), IPv4Address(self.mask))

    @property
    def length(self) -> int | None:
        """Bits of the mask, or None if it has holes."""
        zeros = ~self.mask & 0xFFFFFFFF
        return None if zeros & (zeros + 1) else self.mask.bit_count()

    def contains(self, address: int) -> bool:
        return not (address ^ self.addr) & self.mask

    def matches(self, other: Route) -> bool:
        """Whether this names the route `other`: the same in everything, or – without an output – in its prefix."""
        return self[:2] == other[:2] and (self.port == ANY_PORT or self == other)

    @property
    def hop(self) -> str:
        """Where it leads, as the `lookup` handler says it."""
        return f"{self.port} {IPv4Address(self.gateway)}" if self.gateway else str(self.port)

    def __str__(self) -> str:
        return f"{self.prefix} {self._gateway_text} {self.port}"

    @property
    def row(self) -> str:
        """The route as a line of the `table` handler: columns of 17 and 9 characters at least, kept up by tabs."""
        columns = ((str(self.prefix), 17), (self._gateway_text, 9))
        return "".join(text + ("\t" if len(text) + 1 >= width else "\t\t") for text, width in columns) + str(self.port)

    @property
    def _gateway_text(self) -> str:
        return str(IPv4Address(self.gateway)) if self.gateway else "-"


@dataclass(frozen=True)
class RouteText(Type):
    """Reads a route; with `removal` the output may be missing. Whether there is such an output is not checked here."""

    removal: bool = False
    #: What gateways are.
    gateway: ClassVar[Type] = IPAddress()

    def parse(self, text: str, context: Context = NOWHERE) -> Route:
        return _plain_route(text) or self._route(text, context)

    def _route(self, text: str, context: Context) -> Route:
        words = split_words(text)
        if not 1 <= len(words) <= 3:
            raise self.wrong(text)
        address, mask = self._prefix(words[0], context)
        gateway, rest = self._gateway(words[1:], context)
        port = ANY_PORT if self.removal and not rest else self._port(rest)
        if port is None:
            raise self.wrong(text)
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
        scanned = scan_integer(words[0]) if len(words) == 1 else None
        return scanned[0] if scanned and scanned[1] == len(words[0]) else None

    def describe(self) -> str:
        return "ADDR/MASK [GATEWAY OUTPUT]" if self.removal else "ADDR/MASK [GATEWAY] OUTPUT"


def _plain_route(text: str) -> Route | None:
    """The route that a text in the plain form is; None if it is not in it."""
    match = _PLAIN.fullmatch(text)
    if not match:
        return None
    address, length, gateway, port = match.groups()
    try:
        mask = (1 << 32) - (1 << (32 - int(length)))
        return Route(_number(address) & mask, mask, _number(gateway) if gateway and gateway != "-" else 0, int(port))
    except OSError:
        return None


def _number(address: str) -> int:
    return int.from_bytes(inet_aton(address), "big")

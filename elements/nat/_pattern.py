"""Patterns, the new addresses and ports of rewritten packets: `SADDR SPORT DADDR DPORT`."""

from collections.abc import Callable
from enum import IntEnum
from ipaddress import IPv4Address
from typing import Any, Self

from clickbpf.declare import ArgError, Context, IPAddress, IPPrefix, Integer, frozen


class Order(IntEnum):
    """How to choose a number of a range: the packet's own if possible, at random, in order."""

    SAME_FIRST, RANDOM, SEQUENTIAL = range(3)


SAME_FIRST, RANDOM, SEQUENTIAL = Order
#: The meaning of a name defined by IPRewriterPatterns: (element, number, Pattern).
PATTERN_NAME = "rewriter pattern"

_ORDERS = {"#": SEQUENTIAL, "?": RANDOM}


@frozen
class Pattern:
    """Addresses and ports as numbers, 0 for those that stay. The source port – if `ports`, else the source address – is
    the first of a range of `top` more."""

    saddr: int
    sport: int
    daddr: int
    dport: int
    top: int = 0
    order: int = SAME_FIRST
    ports: bool = False

    @classmethod
    def parse(cls, words: list[str], context: Context) -> Self:
        """From two words (addresses), three (and the source port) or four (source address and port, destination's)."""
        if not 2 <= len(words) <= 4:
            raise ArgError("syntax error", "a pattern is 'SADDR SPORT DADDR DPORT', 'SADDR DADDR' or a name")
        with_ports = len(words) > 2
        saddr_word, daddr_word = words[0], words[2 if len(words) == 4 else 1]
        sport_word = words[{3: 2, 4: 1}[len(words)]] if with_ports else "-"
        dport_word = words[3] if len(words) == 4 else "-"
        saddr = _field(saddr_word, "bad source address", lambda text: _addresses(text, context))
        sport = _field(sport_word, "bad source port", _ports)
        (daddr, *_) = _field(daddr_word, "bad destination address", lambda text: _address(text, context))
        (dport, *_) = _field(dport_word, "bad destination port", _port)
        _, top, order = sport if sport[1] or sport[2] != SAME_FIRST else saddr
        return cls(saddr[0], sport[0], daddr, dport, top, order, with_ports)

    def __str__(self) -> str:
        saddr = str(IPv4Address(self.saddr)) if self.saddr else "-"
        if self.top and not self.ports:
            saddr += f"-{IPv4Address(self.saddr + self.top)}"
        sport = str(self.sport or "-")
        if self.sport and self.top:
            sport += f"-{self.sport + self.top}"
        daddr = str(IPv4Address(self.daddr)) if self.daddr else "-"
        return f"{saddr} {sport} {daddr} {self.dport or '-'}" if self.ports else f"{saddr} {daddr}"


#: The first number of a range, the number of further ones, and the order of choice.
Range = tuple[int, int, int]


def _field(word: str, complaint: str, parse: Callable[[str], Range | None]) -> Range:
    found = (0, 0, SAME_FIRST) if word == "-" else parse(word)
    if found is None:
        wanted = "a port from 1 to 65535" if complaint.endswith("port") else "an IP address, or the name of one"
        raise ArgError(complaint, f"'{word}' is not {wanted}")
    return found


def _number(text: str, type_: Any, context: Context = Context()) -> int | None:
    try:
        return int(type_.parse(text, context))
    except ArgError:
        return None


def _address(text: str, context: Context) -> Range | None:
    number = _number(text, IPAddress(), context)
    return None if number is None else (number, 0, SAME_FIRST)


def _port(text: str) -> Range | None:
    number = _number(text, Integer(32))
    return (number, 0, SAME_FIRST) if number is not None and 0 < number < 1 << 16 else None


def _split(text: str) -> tuple[str, str | None, int]:
    """First, last (None without a dash) and order of a range."""
    order = _ORDERS.get(text[-1:], SAME_FIRST)
    first, dash, last = (text if order == SAME_FIRST else text[:-1]).partition("-")
    return first, last if dash else None, order


def _ports(text: str) -> Range | None:
    single = _port(text)
    if single:
        return single
    first_word, last_word, order = _split(text)
    first, last = _number(first_word, Integer(32)), _number(last_word or "", Integer(32))
    if first is None or last is None or not 0 <= first <= last < 1 << 16:
        return None
    return first, last - first, order


def _addresses(text: str, context: Context) -> Range | None:
    """An address, a range of addresses, or a prefix without its first and last address."""
    single = _address(text, context)
    if single:
        return single
    first_word, last_word, order = _split(text)
    if last_word is not None:
        first, last = _number(first_word, IPAddress(), context), _number(last_word, IPAddress(), context)
        return (first, last - first, order) if first is not None and last is not None and first <= last else None
    try:
        prefix = IPPrefix(bare=True).parse(first_word, context)
    except ArgError:
        return None
    if not int(prefix.address) or not prefix.length:
        return None
    if prefix.length >= 31:
        return int(prefix.network if prefix.length == 31 else prefix.address), 32 - prefix.length, order
    return int(prefix.network) | 1, (1 << (32 - prefix.length)) - 3, order

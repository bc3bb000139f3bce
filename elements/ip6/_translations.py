"""Parses AddressTranslator's arguments."""

from collections.abc import Sequence
from enum import IntEnum
from ipaddress import IPv6Address

from clickbpf.declare import ArgError, Bool, Context, IP6Address, IP6Prefix, IPPort, Integer, frozen, split_words

#: The most mappings of all kinds together.
MOST = 1 << 16

#: An address and a port, 0 where there is none.
Place = tuple[int, int]


class Kind(IntEnum):
    """The kinds of mappings: by addresses, by addresses and ports, or by flows."""

    NONE, ADDRESSES, PORTS, FLOWS = range(4)


@frozen
class Static:
    inner: Place
    mapped: Place


@frozen
class Translations:
    static_kind: Kind = Kind.NONE
    statics: tuple[Static, ...] = ()
    dynamic_kind: Kind = Kind.NONE
    inward: bool = False
    pool: tuple[Place, ...] = ()


def to_address(number: int) -> IPv6Address:
    return IPv6Address(number)


class _Words:
    """The arguments one after another; errors have their argument's place."""

    def __init__(self, texts: Sequence[str], context: Context):
        self.texts, self.context, self.at = texts, context, 0

    def take(self, what: str, parse):
        if self.at == len(self.texts):
            raise ArgError(f"missing {what}")
        try:
            value = parse(self.texts[self.at])
        except ArgError as error:
            raise ArgError(f"{what}: {error.message}", error.hint, argument="MAPPING", index=self.at) from None
        self.at += 1
        return value

    def truth(self, what: str) -> bool:
        return self.take(what, lambda text: Bool().parse(text, self.context))

    @property
    def more(self) -> bool:
        return self.at < len(self.texts)


def parse_translations(texts: Sequence[str], context: Context) -> Translations:
    """Raises ArgError."""
    words = _Words(texts, context)
    count = words.take("NSTATIC", lambda text: Integer(32, high=MOST).parse(text, context))
    static_kind, statics = Kind.NONE, ()
    if count:
        ports = words.truth("STATIC_PORTS")
        static_kind = Kind.PORTS if ports else Kind.ADDRESSES
        statics = tuple(words.take("MAPPING", lambda text: _static(text, ports, context)) for _ in range(count))
    dynamic_kind, inward, pool = Kind.NONE, False, ()
    if words.truth("DYNAMIC"):
        dynamic_kind = Kind.FLOWS if words.truth("DYNAMIC_PORTS") else Kind.ADDRESSES
        inward = words.truth("INWARD")
        pool = _pool(words, dynamic_kind, MOST - count)
    for side in ("inner", "mapped"):
        if len({getattr(static, side) for static in statics}) < len(statics):
            raise ArgError(f"two MAPPINGs have the same {side} address")
    if words.more:
        raise ArgError("more arguments than there is a meaning for", argument="MAPPING", index=words.at)
    return Translations(static_kind, statics, dynamic_kind, inward, pool)


def _pool(words: _Words, kind: Kind, most: int) -> tuple[Place, ...]:
    if kind == Kind.FLOWS:
        return words.take("POOL", lambda text: _range(text, words.context))
    pool = words.take("POOL", lambda text: _addresses(text, most, words.context))
    while words.more:
        left = most - len(pool)
        pool += words.take("POOL", lambda text, left=left: _addresses(text, left, words.context))
    if len({address for address, _ in pool}) < len(pool):
        raise ArgError("POOL has an address twice")
    return pool


def _addresses(text: str, most: int, context: Context) -> tuple[Place, ...]:
    network = IP6Prefix().parse(text, context).network
    if network.num_addresses > most:
        raise ArgError(f"more than {MOST} mappings")
    first = int(network.network_address)
    return tuple((first + i, 0) for i in range(network.num_addresses))


def _range(text: str, context: Context) -> tuple[Place, ...]:
    words = split_words(text)
    if len(words) != 3:
        raise ArgError("expected ADDRESS FIRST LAST")
    address = int(IP6Address().parse(words[0], context))
    first, last = (IPPort().parse(word, context) for word in words[1:])
    if not 0 < first <= last:
        raise ArgError("expected a range of ports, not 0, the first no more than the last")
    return tuple((address, port) for port in range(first, last + 1))


def _static(text: str, ports: bool, context: Context) -> Static:
    words = split_words(text)
    if len(words) != (4 if ports else 2):
        raise ArgError("expected INNER PORT MAPPED PORT" if ports else "expected INNER MAPPED")
    step = 2 if ports else 1
    places = [(int(IP6Address().parse(words[i], context)), IPPort().parse(words[i + 1], context) if ports else 0) for i in (0, step)]
    return Static(*places)

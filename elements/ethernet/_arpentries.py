"""The entries of an ARPResponder: IP prefixes and the Ethernet addresses to answer with."""

from collections.abc import Iterable
from typing import Any

from clickbpf.declare import ArgError, Context, Ether, EtherAddress, IPPrefixNonContiguous, Prefix, Type, frozen, split_words_at


@frozen
class Entry:
    """The Ethernet address of a prefix, without host bits."""

    prefix: Prefix
    ether: Ether

    def __str__(self) -> str:
        return f"{self.prefix} {self.ether}"


def parse_prefix(text: str, context: Context) -> Prefix:
    """A prefix, or an address as a prefix of 32 bits; host bits become 0."""
    prefix = IPPrefixNonContiguous().parse(text, context)
    return Prefix(prefix.network, prefix.mask)


def parse_entries(text: str, context: Context) -> list[Entry]:
    """The entries of `IP/MASK [IP/MASK...] ETH`."""
    prefixes, ether = parse_words(text, context, IPPrefixNonContiguous(), "IP/MASK")
    return [Entry(Prefix(prefix.network, prefix.mask), ether) for prefix in prefixes]


def parse_words(text: str, context: Context, kind: Type, said: str) -> tuple[list[Any], Ether]:
    """Prefixes and an Ethernet address; one word may stand for both."""
    prefixes: list[Any] = []
    ether: Ether | None = None
    words, whole = split_words_at(text), f"an entry is {said} ETH, with a space between them"
    for word, offset in words:
        prefix, address = _or_none(kind, word, context), _or_none(EtherAddress(), word, context)
        if prefix is not None:
            prefixes.append(prefix)
        elif address is None:
            raise ArgError(f"expected {said} ETH", f"'{word}' is neither", offset=offset)
        elif ether is not None:
            raise ArgError("more than one ETH", offset=offset)
        else:
            ether = address
    if ether is None:
        ether = next(filter(None, (_or_none(EtherAddress(), word, context) for word, _ in words)), None)
    if not prefixes:
        raise ArgError(f"missing {said}", whole)
    if ether is None:
        raise ArgError("missing ETH", whole)
    return prefixes, ether


def _or_none(kind: Type, word: str, context: Context) -> Any:
    try:
        return kind.parse(word, context)
    except ArgError:
        return None


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Each entry before those with a wider prefix, otherwise as given; of equal prefixes only the last entry."""
    ordered: list[Entry] = []
    for entry in {entry.prefix: entry for entry in entries}.values():
        holders = (place for place, other in enumerate(ordered) if _within(entry.prefix, other.prefix))
        ordered.insert(next(holders, len(ordered)), entry)
    return ordered


def _within(inner: Prefix, outer: Prefix) -> bool:
    """Whether `outer` contains `inner`."""
    return int(inner.mask) & int(outer.mask) == int(outer.mask) and inner.address in outer


def repeated(entries: list[Entry]) -> list[Prefix]:
    """Duplicate prefixes, once for each repetition."""
    seen: set[Prefix] = set()
    return [entry.prefix for entry in entries if entry.prefix in seen or seen.add(entry.prefix)]

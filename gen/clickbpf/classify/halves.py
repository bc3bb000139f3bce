"""Expressions as alternatives of conditions on halves of words.

A half is two bytes of a region, at an even offset. A packet's half has one of STATES states: a value of 16 bits, only the first byte (the
region ends after it), or nothing. A condition is the set of states that meet it, as a number with a bit for each state. A conjunct has a
condition for each half that it tests. An expression is true if one of its conjuncts is.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from clickbpf.classify.expression import All, Choose, Constant, Expression, Not, Some, Test

Half = tuple[str, int]
Conjunct = dict[Half, int]

#: The first state with only the first byte, and the state with nothing.
ALONE, NOTHING = 1 << 16, (1 << 16) + (1 << 8)
STATES = NOTHING + 1
EVERY = (1 << STATES) - 1

#: The most conjuncts of one rule.
MOST = 256
#: Up to this many ones, each is searched for in the whole number.
SPARSE = 64


class TooMany(Exception):
    """An expression has too many conjuncts to be useful as vectors."""


def conjuncts(expression: Expression, wanted: bool = True) -> list[Conjunct]:
    """The conjuncts of the expression, or of its opposite; TooMany if there are more than MOST."""
    match expression:
        case Test():
            return _test(expression, wanted)
        case Constant(value):
            return [{}] if value == wanted else []
        case Not(part):
            return conjuncts(part, not wanted)
        case All(parts) | Some(parts):
            join = _all if isinstance(expression, All) == wanted else _some
            return join(conjuncts(part, wanted) for part in parts)
        case Choose(condition, then, otherwise):
            ways = (All(condition, then), All(Not(condition), otherwise))
            return _some(conjuncts(way) for way in ways) if wanted else _all(conjuncts(way, False) for way in ways)
    raise TypeError(expression)


@lru_cache(256)
def borders(condition: int) -> tuple[int, ...]:
    """The states from which on a condition is met or no longer met, in ascending order."""
    return tuple(ones((condition ^ condition << 1) & EVERY))


def ones(number: int) -> Iterator[int]:
    """The positions of a number's ones, from the lowest on."""
    if number.bit_count() > SPARSE:
        for place, byte in enumerate(number.to_bytes(-(-number.bit_length() // 8), "little")):
            yield from (8 * place + bit for bit in range(8) if byte >> bit & 1)
        return
    while number:
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _test(test: Test, wanted: bool) -> list[Conjunct]:
    parts = [
        ((test.region, test.offset + 2 * low), test.mask >> shift & 0xFFFF, test.value >> shift & 0xFFFF)
        for low, shift in ((0, 16), (1, 0))
        if test.mask >> shift & 0xFFFF
    ]
    if not parts:
        return [{}] if wanted == (not test.value) else []
    holds = [{half: _matching(mask, value) for half, mask, value in parts}]
    if test.short:
        half, mask, _ = parts[-1]
        holds = _some((holds, [{half: _missing(mask)}]))
    if wanted:
        return holds
    return _all([{half: EVERY ^ condition} for half, condition in conjunct.items()] for conjunct in holds)


@lru_cache(1024)
def _matching(mask: int, value: int) -> int:
    """The states with this value under the mask, and with all bytes under the mask."""
    if value & ~mask:
        return 0
    full = _with_value(mask, value, 16)
    return full if mask & 0xFF else full | _with_value(mask >> 8, value >> 8, 8) << ALONE


def _with_value(mask: int, value: int, bits: int) -> int:
    """The set of numbers of this many bits that have this value under the mask."""
    found = 1 << value
    for bit in range(bits):
        if not mask >> bit & 1:
            found |= found << (1 << bit)
    return found


def _missing(mask: int) -> int:
    """The states without the bytes under the mask."""
    return (EVERY >> ALONE if mask & 0xFF else EVERY >> NOTHING) << (ALONE if mask & 0xFF else NOTHING)


def _some(alternatives: Iterable[list[Conjunct]]) -> list[Conjunct]:
    found = [conjunct for alternative in alternatives for conjunct in alternative]
    if {} in found:
        return [{}]
    if len(found) > 1:
        for half in {half for conjunct in found for half in conjunct}:
            found = _joined(found, half)
    return _limited(found)


def _joined(found: list[Conjunct], half: Half) -> list[Conjunct]:
    """The conjuncts, after joining those that differ only in this half."""
    joined: dict[tuple, Conjunct] = {}
    for conjunct in found:
        others = tuple(sorted((h, c) for h, c in conjunct.items() if h != half))
        condition = conjunct.get(half, EVERY) | joined.get(others, {half: 0}).get(half, EVERY)
        joined[others] = dict(others) if condition == EVERY else {**dict(others), half: condition}
    return list(joined.values())


def _all(parts: Iterable[list[Conjunct]]) -> list[Conjunct]:
    found: list[Conjunct] = [{}]
    for part in parts:
        found = _limited([both for one in found for other in part if (both := _both(one, other)) is not None])
    return found


def _both(one: Conjunct, other: Conjunct) -> Conjunct | None:
    """The conjunct that holds if both hold; None if no packet meets both."""
    both = dict(one)
    for half, condition in other.items():
        both[half] = both.get(half, EVERY) & condition
        if not both[half]:
            return None
    return both


def _limited(found: list[Conjunct]) -> list[Conjunct]:
    if len(found) > MOST:
        raise TooMany
    return found

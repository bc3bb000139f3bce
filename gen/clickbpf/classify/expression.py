"""Conditions on a packet: tests of masked words, and their combinations.

    All(Test("data", 12, 0xFFFF0000, 0x08000000), Not(Test("data", 20, 0xFF000000, 0)))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from clickbpf.frozen import frozen

#: Bytes of a word.
WIDTH = 4


class Test(NamedTuple):
    """Whether the four bytes at `offset` of a region of the packet are `value` under `mask`.

    The first byte is the most significant one of `mask` and `value`. The maker of tests names the regions; the words of a region must not
    overlap. For a packet without all bytes under the mask the answer is `short`.
    """

    region: str
    offset: int
    mask: int
    value: int
    short: bool = False

    @property
    def word(self) -> tuple[str, int]:
        return self.region, self.offset

    @property
    def needs(self) -> int:
        """The bytes of the region that a packet must have; if it has fewer, the answer is `short`."""
        return needed(self.offset, self.mask)

    def __str__(self) -> str:
        return f"{self.offset}/{self.value:08x}%{self.mask:08x}"


def needed(offset: int, mask: int) -> int:
    """The end of the last byte under the mask of the word at `offset`; 0 if there is none."""
    if not mask:
        return 0
    trailing_zeros = (mask & -mask).bit_length() - 1
    return offset + WIDTH - trailing_zeros // 8


@frozen
class Constant:
    value: bool


TRUE, FALSE = Constant(True), Constant(False)


@dataclass(frozen=True, init=False)
class All:
    """True if all parts are true, or if there are none."""

    parts: tuple[Expression, ...]

    def __init__(self, *parts: Expression):
        object.__setattr__(self, "parts", _merged(_sorted(_flat(All, parts))))


@dataclass(frozen=True, init=False)
class Some:
    """True if any part is true; false if there are none."""

    parts: tuple[Expression, ...]

    def __init__(self, *parts: Expression):
        object.__setattr__(self, "parts", tuple(_sorted(_flat(Some, parts))))


@frozen
class Not:
    """The opposite, also for short packets, so that `Not(Test(...))` is true of them."""

    part: Expression


@frozen
class Choose:
    """`then` where the condition is true, `otherwise` where it is not."""

    condition: Expression
    then: Expression
    otherwise: Expression


Expression = Test | Constant | All | Some | Not | Choose


def unlike(expression: Expression) -> Expression:
    """The opposite, except that for a packet too short for a test, the test's answer stays the same."""
    return Not(_with_short_turned(expression))


def _with_short_turned(expression: Expression) -> Expression:
    match expression:
        case Test():
            return expression._replace(short=not expression.short)
        case All(parts):
            return All(*map(_with_short_turned, parts))
        case Some(parts):
            return Some(*map(_with_short_turned, parts))
        case Not(part):
            return Not(_with_short_turned(part))
        case Choose(condition, then, otherwise):
            return Choose(*map(_with_short_turned, (condition, then, otherwise)))
    return expression


def match_bytes(region: str, offset: int, value: bytes, mask: bytes) -> Expression:
    """Tests whether the bytes at `offset` are `value` under `mask`."""
    words: dict[int, tuple[int, int]] = {}
    for place, (v, m) in enumerate(zip(value, mask, strict=True), offset):
        at, shift = place - place % WIDTH, 8 * (WIDTH - 1 - place % WIDTH)
        word_mask, word_value = words.get(at, (0, 0))
        words[at] = word_mask | m << shift, word_value | (v & m) << shift
    return All(*(Test(region, at, m, v) if m else TRUE for at, (m, v) in words.items()))


def _flat(kind: type, parts: Iterable[Expression]) -> list[Expression]:
    return [inner for part in parts for inner in (part.parts if isinstance(part, kind) else (part,))]


def _sorted(parts: list[Expression]) -> list[Expression]:
    """Parts sorted by the first word in each, so that equal parts of different rules have the same position."""
    return sorted(parts, key=_first_word)


def _first_word(expression: Expression) -> tuple:
    """A sort key: tests by their word, then other expressions about one word, then those about several."""
    match expression:
        case Test():
            return 0, expression.word, 0
        case Not(part):
            kind, word, _ = _first_word(part)
            return kind, word, 1
        case All(parts) | Some(parts) if parts:
            firsts = [_first_word(part) for part in parts]
            several = len({word for _, word, _ in firsts}) > 1 or any(kind for kind, _, _ in firsts)
            return int(several), firsts[0][1], 1
        case Choose(condition, _, _):
            return 1, _first_word(condition)[1], 0
    return 0, ("", -1), 0


def _merged(parts: list[Expression]) -> tuple[Expression, ...]:
    """The parts with tests of one word merged into one; only FALSE if they contradict each other."""
    merged: list[Expression] = []
    for part in parts:
        before = merged[-1] if merged else None
        if isinstance(part, Test) and isinstance(before, Test) and part.word == before.word and not (part.short or before.short):
            if (part.value ^ before.value) & part.mask & before.mask:
                return (FALSE,)
            merged[-1] = before._replace(mask=before.mask | part.mask, value=before.value | part.value)
        else:
            merged.append(part)
    return tuple(merged)

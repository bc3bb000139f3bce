"""Rules as bit vectors: many rules are looked up in these instead of a graph.

For each half of a word that rules test, each state has a row: a vector with a bit for each conjunct, 1 if the state meets its condition.
The conjuncts that hold have a 1 in the rows of all halves (T.V. Lakshman, D. Stiliadis: "High-speed policy-based packet forwarding using
efficient multi-dimensional range matching", SIGCOMM 1998). A row begins with a summary, which has a bit for each word of its vector, 1 if
the word isn't 0; only words with a 1 in all summaries are read (F. Baboescu, G. Varghese: "Scalable packet classification", SIGCOMM 2001,
the aggregated bit vector). As there, conjuncts that hold for the same states of the most selective halves are neighbours, and among the
conjuncts found the lowest rule number decides. A packet costs one lookup for each half, one word of each summary for 4096 conjuncts, and a
word of each row for each common bit; never more than all words.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Self

from clickbpf.classify.expression import Expression
from clickbpf.classify.halves import STATES, Half, TooMany, borders, conjuncts

#: Bits of a word; also the number of words that one word of a summary stands for.
WORD = 64
#: The most conjuncts and halves for which vectors are useful.
MOST_CONJUNCTS, MOST_HALVES = 4 * WORD * WORD, 16
#: A condition is selective if at most one in this many states meets it.
TELLING = 16


#: A condition as the sorted states from which on it is met or no longer met. ANY is the condition of a half without requirements.
Borders = tuple[int, ...]
ANY: Borders = (0,)


class Entry(NamedTuple):
    """The conditions of a conjunct, the number of its rule, and the rule's output; None drops."""

    conditions: dict[Half, Borders]
    rule: int
    output: int | None


class Vectors:
    """The vectors of rules; the first rule that is true decides. TooMany if vectors don't suit these rules."""

    def __init__(self, rules: Sequence[tuple[Expression, int | None]], before: Self | None = None):
        """If they replace the vectors `before`, they also have the halves of these, and at least as many words in summaries."""
        self.entries = _entries(rules)
        used = {half for entry in self.entries for half in entry.conditions} | set(before.halves if before else ())
        if not 0 < len(used) <= MOST_HALVES:
            raise TooMany
        #: The halves that rules test, in the order of the packet.
        self.halves: tuple[Half, ...] = tuple(sorted(used))
        #: Words in a row's summary, and in its vector.
        self.words = max(1, -(-len(self.entries) // WORD))
        self.summary = max(-(-self.words // WORD), before.summary if before else 0)

    @cached_property
    def order(self) -> list[Entry]:
        """The entries in the order of their bits: similar ones are neighbours, and within a word they are in the order of rules."""
        return _arranged(self.entries, self.halves)

    @cached_property
    def rows(self) -> tuple[array, array]:
        """All rows as consecutive words; and for each half the beginnings of its STATES rows."""
        rows, places = array("Q"), array("Q")
        for half in self.halves:
            known: dict[int, int] = {}
            for vector, count in _stretches(self.order, half):
                if vector not in known:
                    known[vector] = len(rows)
                    rows.extend(self._row(vector))
                places.extend(array("Q", (known[vector],)) * count)
        return rows, places

    def _row(self, vector: int) -> array:
        words = array("Q", vector.to_bytes(8 * self.words, "little"))
        marks = sum(1 << place for place, word in enumerate(words) if word)
        return array("Q", marks.to_bytes(8 * self.summary, "little")) + words


def _entries(rules: Sequence[tuple[Expression, int | None]]) -> list[Entry]:
    entries: list[Entry] = []
    for number, (expression, output) in enumerate(rules):
        found = conjuncts(expression)
        entries += (Entry({half: borders(c) for half, c in conjunct.items()}, number, output) for conjunct in found)
        if len(entries) > MOST_CONJUNCTS:
            raise TooMany
        if {} in found:  # true of all packets
            break
    return entries


def _arranged(entries: list[Entry], halves: tuple[Half, ...]) -> list[Entry]:
    different = {half: len({entry.conditions.get(half, ANY) for entry in entries}) for half in halves}
    telling = sorted(halves, key=lambda half: -different[half])

    def key(entry: Entry) -> tuple:
        tells = [half for half in telling if _size(entry.conditions.get(half, ANY)) * TELLING <= STATES]
        return tuple(half not in tells for half in telling), [entry.conditions[half][0] for half in tells], entry.rule

    ordered = sorted(entries, key=key)
    return [e for at in range(0, len(ordered), WORD) for e in sorted(ordered[at : at + WORD], key=lambda entry: entry.rule)]


def _size(condition: Borders) -> int:
    """The number of states that meet the condition."""
    ends = condition if len(condition) % 2 == 0 else (*condition, STATES)
    return sum(ends[1::2]) - sum(ends[::2])


def _stretches(order: list[Entry], half: Half) -> Iterator[tuple[int, int]]:
    """The vectors of a half's states, from the first state to the last, each with the number of consecutive states that have it."""
    members: dict[Borders, bytearray] = {}
    for place, entry in enumerate(order):
        bits = members.setdefault(entry.conditions.get(half, ANY), bytearray(-(-len(order) // 8)))
        bits[place // 8] |= 1 << place % 8
    changes: dict[int, int] = {0: 0}
    for condition, bits in members.items():
        vector = int.from_bytes(bits, "little")
        for border in condition:
            changes[border] = changes.get(border, 0) ^ vector
    starts, vector = sorted(changes), 0
    for start, end in zip(starts, [*starts[1:], STATES], strict=True):
        vector ^= changes[start]
        yield vector, end - start

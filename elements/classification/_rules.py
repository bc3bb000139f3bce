"""The base of all classifiers: the first rule that holds decides. Rules are code or, if there are many, data."""

import ctypes
import time
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from clickbpf.declare import PUSH, THREAD_SAFE, ArgError, Array, Constants, Reconfigurable, Vars, View, s32, u32, u64
from clickbpf.classify import Program, Rule, Test, TooMany
from clickbpf.classify.vectors import WORD, Vectors
from clickbpf.vocabulary.state import address

#: Seconds after which no lookup uses the old half of the data any more.
REST = 0.002

#: For rules that are data: the beginnings of rows, the rows, and for each bit the rule's number and its output, negative for none.
#: Everything exists twice, one half for the current rules and the other for the next ones; `now` is the current half.
VECTORS = {
    "places": Array(lambda element: 2 * element.room.places, row=u64),
    "rows": Array(lambda element: 2 * element.room.rows, word=u64),
    "rules": Array(lambda element: 2 * element.room.rules, number=u32, output=s32),
    "data": Vars(now=u32),
}


class Room(NamedTuple):
    """The capacity for data."""

    places: int
    rows: int
    rules: int

    @classmethod
    def needed(cls, vectors: Vectors) -> Self:
        rows, places = vectors.rows
        return cls(len(places), len(rows), WORD * vectors.words)

    @classmethod
    def ample(cls, vectors: Vectors) -> Self:
        """Room for these rules, and for others to replace them."""
        places, rows, rules = cls.needed(vectors)
        return cls(places, _ample(rows), _ample(rules))

    def has(self, other: Self) -> bool:
        return self.places == other.places and self.rows >= other.rows and self.rules >= other.rules


class RuleElement(Reconfigurable, ports="1/-", processing=PUSH, traits=THREAD_SAFE):
    """Packets leave by the output of the first rule that holds. A change of data takes effect by one store."""

    state_types = VECTORS
    holds = ()
    _kept: Room | None = None

    def compile(self, rules: Sequence[Rule], before: Program | None = None) -> None:
        self._given = rules
        self.program = Program(rules, before)
        self.weight = self.program.weight
        if not self.program.vectors:
            self.state_types = {name: kind for name, kind in type(self).state_types.items() if name not in VECTORS}

    def keep(self, before: Self) -> None:
        """Rules that are data stay data, in the same room; rules that are code stay code."""
        if bool(before.program.vectors) != bool(self.program.vectors) or self.program.vectors:
            vars(self).pop("state_types", None)
            try:
                self.compile(self._given, before.program)
            except TooMany:
                raise ArgError("the rules are too many to be changed while packets flow", "load them as a configuration") from None
        if before.program.vectors and self.program.vectors.halves == before.program.vectors.halves:
            self._keep_room(before.room)

    def _keep_room(self, room: Room) -> None:
        if not room.has(Room.needed(self.program.vectors)):
            raise ArgError("there is no room for so many rules", "load them as a configuration")
        self._kept = room

    @property
    def room(self) -> Room:
        """The state's capacity for data."""
        return self._kept or Room.ample(self.program.vectors)

    def constants(self) -> Constants:
        vectors = self.program.vectors
        if not vectors:
            return {}
        numbers = {"halves": len(vectors.halves), "summary": vectors.summary, **self.room._asdict()}
        return {name: ("__u32", str(number)) for name, number in numbers.items()}

    def function(self, regions: Mapping[str, str]) -> str:
        """C of SELF(match), which chooses a packet's output."""
        lookup = '#include "classification/vectors.inc.h"\n' if self.program.vectors else ""
        return lookup + self.program.c_function("SELF(match)", regions, action, self.guard)

    def guard(self, test: Test) -> str:
        """C for a condition implied by the test (classify/emit.py)."""
        return ""

    def initialise(self) -> None:
        if self.program.vectors:
            self._write(1 - self.state.data.now)

    def reconfigure(self, wanted: Self) -> None:
        time.sleep(REST)
        super().reconfigure(wanted)

    def _write(self, half: int) -> None:
        """Write the rules to a half of the data, and switch lookups to it."""
        rows, places = self.program.vectors.rows
        order = self.program.vectors.order
        _fill(self.state.rows, half * self.room.rows, rows)
        _fill(self.state.places, half * self.room.places, places)
        for place, entry in enumerate(order, half * self.room.rules):
            rule = self.state.rules[place]
            rule.number, rule.output = entry.rule, -1 if entry.output is None else entry.output
        self.state.data.now = half


def action(output: Any) -> str:
    """C for a packet's result."""
    return "DROP(FILTERED)" if output is None else f"OUTPUT({output})"


def _ample(needed: int) -> int:
    """An eighth to a half more."""
    unit = 1 << max(0, needed.bit_length() - 3)
    return (needed // unit + 2) * unit


def _fill(view: View, place: int, words: array) -> None:
    """Put words into a view of words, from a place on."""
    ctypes.memmove(address(view) + place * words.itemsize, words.buffer_info()[0], len(words) * words.itemsize)

"""A program's initial surroundings: any packet, and tables with any contents or known ones."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from clickbpf.objects.manifest import Manifest, StateEntry
from clickbpf.prove import terms
from clickbpf.prove.evaluation import Values
from clickbpf.prove.values import Term, Truth, Word, history, variable

#: Offsets of headers and lengths are below this.
WIDTH = 16
#: The most bytes of a table between which a packet can choose; for more, an unknown value is assumed.
MOST_CHOICES = 256


class Any:
    """Any packet with a length between the bounds, and any contents of tables. `fixed` has maps with given contents, and `tables` the given
    contents of elements' state, by `table_name()`.
    A table's byte is a variable named after its element and state, and so the same in all routers with this table, but for those of a
    network, whose names begin with `router`.
    """

    def __init__(
        self,
        manifest: Manifest,
        fixed: Mapping[str, Mapping[int, Word]],
        shortest: int,
        longest: int,
        tables: Mapping[str, Sequence[Word]] = MappingProxyType({}),
        router: str = "",
    ):
        self.fixed, self._router = fixed, router
        self.length = terms.extend(64, variable("length", WIDTH, shortest, longest), WIDTH)
        #: For each variable the table, by its name, and the place there: variable part and constant.
        self.origin: dict[str, tuple[str, Term | None, int]] = {}
        #: The same after writes, and of tables with known contents: the table with what has been written, and with these contents.
        self.later: dict[str, tuple[tuple, Term | None, int]] = {}
        self._loose = {entry.name for entry in manifest.maps if entry.per_slot or entry.role == "handed"}
        self._tables = {name: Table(content) for name, content in tables.items()}
        self._states: dict[str, list[tuple[int, str]]] = {}
        for entry in sorted(manifest.states, key=lambda entry: entry.offset):
            self._states.setdefault(entry.map, []).append((entry.offset, table_name(entry)))

    def byte(self, region: tuple, base: Term | None, offset: int, version: int = 0) -> Word:
        if region[0] == "packet" and base is None:
            return variable(f"packet[{offset}]{f' moved {version}' if version else ''}", 8)
        if region[0] == "packet":
            return variable(f"packet@{base.number}[{offset}] {version}", 8)
        if region[0] != "value":
            return variable(f"{region[0]}{region[1:]}[{offset}]", 8)
        start, state = self._state(region[1], offset)
        table, found = self._tables.get(state), None
        if not version:
            fixed = self.fixed.get(region[1], {}).get(offset) if base is None else None
            found = fixed if table is None else table.byte(base, offset - start)
        if found is not None:
            return found
        name = f"{self._router}{state}{'' if base is None else f'@{base.number}'}[{offset - start}]"
        if version or table is not None:
            name = f"{name} after {version} of {table and table.number}"
            self.later[name] = (state, version, table and table.number), base, offset - start
        else:
            self.origin[name] = state, base, offset - start
        return variable(name, 8, loose=region[1] in self._loose)

    def share(self, other: Any) -> None:
        """From here on, know where another router's bytes of tables are from as well, and the reverse: the tables are equal."""
        self.origin = other.origin = {**self.origin, **other.origin}
        self.later = other.later = {**self.later, **other.later}

    def contradicted(self, found: Mapping[str, int]) -> list[Truth]:
        """Truths that values of variables contradict: bytes at one place of a table, at one time, are the same byte, although the place is
        known by different sums. (A loose byte may have any value whenever it is read.)"""
        values, truths = Values(found), []
        first: dict[tuple[object, int], tuple[Term, Word]] = {}
        for name, (state, base, offset) in (*self.origin.items(), *self.later.items()):
            byte = variable(name, 8)
            if name in found and not byte.loose:
                place = terms.total(64, [(base, 1)] if base is not None else [], offset)
                other, elsewhere = first.setdefault((state, values.of(place)), (byte, place))
                if found[name] != values[other]:
                    truths.append(terms.any_of((terms.opposite(terms.equal(place, elsewhere)), terms.equal(byte, other))))
        return truths

    def _state(self, table: str, offset: int) -> tuple[int, str]:
        """The beginning and the name of an element's state at an offset of a map."""
        states = self._states.get(table, [])
        at = bisect.bisect_right(states, (offset, "\x7f")) - 1
        return states[at] if at >= 0 else (0, table)

    def any(self, name: str, width: int) -> Word:
        return variable(f"{self._router}{name}", width, loose=True)


class Table:
    """A table with known contents."""

    def __init__(self, content: Sequence[Word]):
        self._content, self.number = content, history(content if isinstance(content, bytes) else tuple(content))
        self._places = [place for place, byte in enumerate(content) if byte != 0]

    def byte(self, base: Term | None, offset: int) -> Word | None:
        """The byte at a sum's value, as a choice between the bytes that aren't 0; None if there are too many of these."""
        if base is None:
            return self._content[offset] if 0 <= offset < len(self._content) else 0
        places = [place for place in self._places if terms.may_be(base, place - offset)]
        if len(places) > MOST_CHOICES:
            return None
        found: Word = 0
        for value in dict.fromkeys(self._content[place] for place in places):
            here = terms.any_of(terms.equal(base, place - offset) for place in places if self._content[place] == value)
            found = terms.choose(here, 8, value, found)
        return found


def table_name(entry: StateEntry) -> str:
    """A table's name, the same in all routers with this table."""
    return f"{entry.element}.{entry.state}"

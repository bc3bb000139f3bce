"""Replaces parts of a router that match patterns (click-xform).

    transform(router, read_patterns("conf/ip.clickpat"))

Patterns are tried in order, repeatedly, until none matches. Inserted elements are marked with their pattern, and a pattern
doesn't match a part in which everything has its mark, so a replacement may contain its own pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clickbpf.errors import ClickError
from clickbpf.graph.router import Connection, Element, Port, Router
from clickbpf.lang.config import split_args
from clickbpf.passes.match import Match, matches, variable
from clickbpf.passes.order import as_written
from clickbpf.passes.patterns import Fragment, Pattern

#: A limit, because two patterns can undo each other forever.
MOST_REPLACEMENTS = 10_000


def transform(router: Router, patterns: Sequence[Pattern]) -> Router:
    """Replace until no pattern matches; ClickError if this doesn't end."""
    work = _Work(as_written(router))
    while any(_replace_all(work, pattern) for pattern in patterns):
        pass
    elements = tuple(element for element in work.slots if element)
    return replace(router, elements=elements, connections=tuple(work.connections))


def _replace_all(work: _Work, pattern: Pattern) -> bool:
    """Apply one pattern as often as it matches; returns whether it matched at all."""
    found = False
    while match := next((m for m in matches(pattern.find, work.elements, work.connections) if not work.made_all(pattern, m)), None):
        if sum(work.counts.values()) == MOST_REPLACEMENTS:
            raise ClickError(f"the replacements don't end: {MOST_REPLACEMENTS} replacements so far", hint="does one undo another?")
        work.put(pattern, match)
        found = True
    return found


class _Work:
    """A router that is being changed.

    A removed element leaves a free slot for the next new one, as in Click's tools, so that the elements' order is the same.
    """

    def __init__(self, router: Router):
        self.slots: list[Element | None] = list(router.elements)
        self.connections: list[Connection] = list(router.connections)
        self.counts: dict[str, int] = {}
        self._free: list[int] = []
        self._made_by: dict[str, str] = {}

    @property
    def elements(self) -> list[Element]:
        return [element for element in self.slots if element]

    def made_all(self, pattern: Pattern, match: Match) -> bool:
        """Whether everything that matches was inserted by this pattern."""
        return all(self._made_by.get(name) == pattern.name for name in match.elements.values())

    def put(self, pattern: Pattern, match: Match) -> None:
        number = self.counts[pattern.name] = self.counts.get(pattern.name, 0) + 1
        taken = set(match.elements.values())
        outside = [c for c in self.connections if (c.source.element in taken) != (c.target.element in taken)]
        self.connections = [c for c in self.connections if not {c.source.element, c.target.element} & taken]
        self._remove(taken)
        # In Click the compound, its input and its output occupy slots while it is expanded.
        scaffold = [self._slot() for _ in range(3)]
        names = {e.name: match.elements.get(e.name, f"{pattern.name}@{number}/{e.name}") for e in pattern.put.elements}
        for element in pattern.put.elements:
            self.slots[self._slot()] = Element(names[element.name], element.class_name, _filled_in(element.config, match), element.place)
            self._made_by[names[element.name]] = pattern.name
        self._free += reversed(scaffold)
        self._connect(pattern, match, names, outside)

    def _remove(self, names: set[str]) -> None:
        gone = [slot for slot, element in enumerate(self.slots) if element and element.name in names]
        for slot in gone:
            self.slots[slot] = None
        self._free += gone

    def _slot(self) -> int:
        if self._free:
            return self._free.pop()
        self.slots.append(None)
        return len(self.slots) - 1

    def _connect(self, pattern: Pattern, match: Match, names: dict[str, str], outside: Iterable[Connection]) -> None:
        """Connections within the new part, then those that led into and out of the old part."""

        def inside(port: Port) -> Port:
            return Port(names[port.element], port.port)

        put = pattern.put
        added = [Connection(inside(c.source), inside(c.target)) for c in put.connections]
        entering, leaving = _ports(pattern.find, match)
        after: dict[int, list[Port]] = {}
        for connection in outside:
            if connection.source in leaving:
                after.setdefault(leaving[connection.source], []).append(connection.target)
        for connection in outside:
            if connection.target in entering:
                at = entering[connection.target]
                targets = [inside(port) for number, port in put.entries if number == at]
                targets += [port for number, output in put.passages if number == at for port in after.get(output, ())]
                added += [Connection(connection.source, target) for target in targets]
            else:
                sources = [inside(port) for port, number in put.exits if number == leaving[connection.source]]
                added += [Connection(source, connection.target) for source in sources]
        self.connections = list(dict.fromkeys((*self.connections, *added)))


def _ports(fragment: Fragment, match: Match) -> tuple[dict[Port, int], dict[Port, int]]:
    """The pattern's input for each port of the router that matches one, and the same for outputs; of several the lowest number."""
    entering = {match.port(port): number for number, port in sorted(fragment.entries, reverse=True)}
    leaving = {match.port(port): number for port, number in sorted(fragment.exits, key=lambda exit: -exit[1])}
    return entering, leaving


def _filled_in(config: str, match: Match) -> str:
    """Arguments with the variables' values."""
    arguments = [text for text, _ in split_args(config)]
    return ", ".join(match.values.get(variable(text) or "", text) for text in arguments)

"""Finds the parts of a router that match a pattern.

A match has, for each element of the pattern, an element of the same class with matching arguments; between these elements the
pattern's connections and no others; and connections to the rest of the router at each of the pattern's inputs and outputs, and
nowhere else.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from clickbpf.frozen import frozen
from clickbpf.graph.router import Connection, Element, Port
from clickbpf.lang.config import split_args
from clickbpf.passes.patterns import Fragment

_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")


@frozen
class Match:
    """A match: the router's elements by the pattern's names, and the arguments that the pattern's variables stand for."""

    elements: Mapping[str, str]
    values: Mapping[str, str]

    def port(self, port: Port) -> Port:
        """The router's port that matches a port of the pattern."""
        return Port(self.elements[port.element], port.port)


def variable(argument: str) -> str | None:
    """The name of the variable that an argument consists of; None if it is not a variable."""
    found = _VARIABLE.fullmatch(argument)
    return found and (found[1] or found[2])


def unify(pattern: str, config: str, values: Mapping[str, str]) -> dict[str, str] | None:
    """The values of variables that make a pattern's configuration string equal to an element's; None if there are none."""
    wanted, given = ([text for text, _ in split_args(text)] for text in (pattern, config))
    if len(wanted) != len(given):
        return None
    found = dict(values)
    for one, other in zip(wanted, given):
        name = variable(one)
        if (found.setdefault(name, other) if name else one) != other:
            return None
    return found


def matches(fragment: Fragment, elements: Collection[Element], connections: Collection[Connection]) -> Iterator[Match]:
    """All matches, in the order of the router's elements."""
    for match in _assigned(fragment, fragment.elements, elements, Match({}, {}), set(connections)):
        if _fits(fragment, match, connections):
            yield match


def _assigned(
    fragment: Fragment, left: tuple[Element, ...], elements: Collection[Element], match: Match, connections: set[Connection]
) -> Iterator[Match]:
    """Assign elements to the remaining elements of the pattern so that connections between assigned elements agree."""
    if not left:
        yield match
        return
    wanted, taken = left[0], set(match.elements.values())
    for element in elements:
        if element.class_name != wanted.class_name or element.name in taken:
            continue
        values = unify(wanted.config, element.config, match.values)
        if values is None:
            continue
        more = Match({**match.elements, wanted.name: element.name}, values)
        if all(c in connections for c in _between(fragment, more, wanted.name)):
            yield from _assigned(fragment, left[1:], elements, more, connections)


def _between(fragment: Fragment, match: Match, name: str) -> Iterable[Connection]:
    """The connections that the pattern has between one element and others that are assigned."""
    for c in fragment.connections:
        if name in (c.source.element, c.target.element) and {c.source.element, c.target.element} <= match.elements.keys():
            yield Connection(match.port(c.source), match.port(c.target))


def _fits(fragment: Fragment, match: Match, connections: Iterable[Connection]) -> bool:
    """Whether the router's connections at the matched elements are those of the pattern."""
    inside = {Connection(match.port(c.source), match.port(c.target)) for c in fragment.connections}
    entries = {match.port(port) for _, port in fragment.entries}
    exits = {match.port(port) for port, _ in fragment.exits}
    taken = set(match.elements.values())
    entered, left = set(), set()
    for connection in connections:
        source, target = connection.source, connection.target
        if source.element in taken and target.element in taken:
            if connection not in inside:
                return False
        elif target.element in taken:
            entered.add(target)
        elif source.element in taken:
            left.add(source)
    if not (entered <= entries and left <= exits):
        return False
    return _all_used(((number, match.port(port)) for number, port in fragment.entries), entered) and _all_used(
        ((number, match.port(port)) for port, number in fragment.exits), left
    )


def _all_used(ports: Iterable[tuple[int, Port]], used: set[Port]) -> bool:
    """Whether each number has a port that is used."""
    ports = list(ports)
    return {number for number, _ in ports} == {number for number, port in ports if port in used}

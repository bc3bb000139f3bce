"""Whether connections use all ports that elements have, and no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from clickbpf.element import Element
from clickbpf.errors import Diagnostics
from clickbpf.graph import codes
from clickbpf.graph.codes import FlowCode, PortCount
from clickbpf.graph.router import Connection, Gap, Port, Router
from clickbpf.graph.tunnels import missing_arrow


@dataclass(frozen=True)
class End:
    """An input or output port of an element."""

    port: Port
    is_output: bool

    def __str__(self) -> str:
        return f"{'output' if self.is_output else 'input'} {self.port.port} of '{self.port.element}'"


def ends(connection: Connection) -> tuple[End, End]:
    """The output and the input that a connection joins."""
    return End(connection.source, True), End(connection.target, False)


@dataclass(frozen=True)
class Shape:
    """The ports of an element: a mode (push, pull, agnostic) for each input and output, and the flow between them."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    flow: FlowCode

    @classmethod
    def of(cls, router: Router, name: str, element: Element | type[Element], flow: str | None = None) -> Shape:
        """The shape that an element's (or its class's) codes give it in this router; ArgError for a bad code.

        An element that may have more connections than are known has as many ports as it can have.
        """
        used = router.n_inputs(name), router.n_outputs(name)
        count = PortCount.parse(element.ports)
        counts = count.most() if name in router.doubts.loose else count.resolve(*used)
        return cls(*codes.processing(element.processing, *counts), FlowCode(flow or element.flow))

    @property
    def counts(self) -> tuple[int, int]:
        """Numbers of inputs and outputs."""
        return len(self.inputs), len(self.outputs)

    def modes(self, is_output: bool) -> tuple[str, ...]:
        return self.outputs if is_output else self.inputs

    def through(self, end: End) -> list[End]:
        """The ports on the other side of the element that packets of this port go to, or come from."""
        others = range(len(self.modes(not end.is_output)))
        reached = self.flow.through(end.is_output, end.port.port, len(others))
        return [End(Port(end.port.element, other), not end.is_output) for other in reached]


def check_ports(router: Router, shapes: Mapping[str, Shape], found: Diagnostics) -> list[Connection]:
    """Report ports that don't exist and ports without connections; the connections between ports that do exist.

    Elements without a shape are of an unknown class, about which there is nothing more to say.  Where an arrow is
    missing between two elements, that is the report for both their unused ports.
    """
    known = [c for c in router.connections if c.source.element in shapes and c.target.element in shapes]
    missing = {end for c in router.connections for end in ends(c) if not _exists(end, shapes)}
    for connection in router.connections:
        for end in ends(connection):
            if end in missing:
                found.error(connection.place_at(end.is_output), _no_such_port(end), _has(router, shapes, end))
    unused = _unused_runs(router, shapes, missing)
    for gap in router.gaps:
        _check_gap(gap, router, shapes, unused, found)
    for (name, is_output), runs in unused.items():
        for first, last in runs:
            found.error(router.element(name).place, *_unused(name, is_output, first, last))
    return [c for c in known if not missing.intersection(ends(c))]


def _exists(end: End, shapes: Mapping[str, Shape]) -> bool:
    shape = shapes.get(end.port.element)
    return shape is None or end.port.port < len(shape.modes(end.is_output))


#: For an element's inputs (False) or outputs (True), the first and last of each run of ports.
Runs = dict[tuple[str, bool], list[tuple[int, int]]]


def _unused_runs(router: Router, shapes: Mapping[str, Shape], missing: set[End]) -> Runs:
    """Unused ports.

    Where an element has connections to ports that don't exist, those were meant for the unused ones: one report will do.
    """
    used = {end for connection in router.connections for end in ends(connection)}
    confused = {(end.port.element, end.is_output) for end in missing}
    found: Runs = {}
    for element in router.elements:
        if element.name not in shapes or element.name in router.doubts.loose:
            continue
        for is_output in (False, True):
            if (element.name, is_output) not in confused:
                count = len(shapes[element.name].modes(is_output))
                unused = [port for port in range(count) if End(Port(element.name, port), is_output) not in used]
                found[element.name, is_output] = list(_runs(unused))
    return found


def _check_gap(gap: Gap, router: Router, shapes: Mapping[str, Shape], unused: Runs, found: Diagnostics) -> None:
    """An arrow is missing if both elements have unused ports there; what is unused beside an unknown element may not be."""
    before, after = unused.get((gap.before, True)), unused.get((gap.after, False))
    if before and after:
        found.error(gap.place, *missing_arrow(gap.before, gap.after))
    known = [name in shapes and name not in router.doubts.loose for name in (gap.before, gap.after)]
    explained = [side for side, other, is_known in ((before, after, known[1]), (after, before, known[0])) if other or not is_known]
    for side in filter(None, explained):
        del side[0]


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Ascending numbers as first and last of each run without a gap."""
    # Within a run, a number and its index grow alike.
    for _, run in groupby(enumerate(numbers), lambda item: item[1] - item[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]


def _unused(name: str, is_output: bool, first: int, last: int) -> tuple[str, str]:
    """Message and hint."""
    what, peer = ("output", "Discard") if is_output else ("input", "Idle")
    which = f"{what} {first} of '{name}' is" if first == last else f"{what}s {first} to {last} of '{name}' are"
    return f"{which} not connected", f"connect {'it' if first == last else 'them'} to {peer} if no packets are meant to pass"


def _no_such_port(end: End) -> str:
    return f"'{end.port.element}' has no {'output' if end.is_output else 'input'} {end.port.port}"


def _has(router: Router, shapes: Mapping[str, Shape], end: End) -> str:
    shape, class_name = shapes[end.port.element], router.element(end.port.element).class_name
    return f"{class_name} has {_count(shape.inputs, 'input')} and {_count(shape.outputs, 'output')} here"


def _count(modes: tuple[str, ...], what: str) -> str:
    number = len(modes) or "no"
    return f"{number} {what}{'' if number == 1 else 's'}"

"""The ports of elements, and a check that connections use no others."""

from collections.abc import Mapping
from typing import Self

from clickbpf.errors import Diagnostic, Diagnostics
from clickbpf.frozen import frozen
from clickbpf.graph import codes
from clickbpf.graph.codes import FlowCode, PortCount
from clickbpf.graph.router import Connection, Port, Router
from clickbpf.vocabulary.element import Element


@frozen
class End:
    """An input or output port of an element."""

    port: Port
    is_output: bool

    def __str__(self) -> str:
        return f"{'output' if self.is_output else 'input'} {self.port.port} of '{self.port.element}'"


def ends(connection: Connection) -> tuple[End, End]:
    """The output and the input that a connection joins."""
    return End(connection.source, True), End(connection.target, False)


@frozen
class Shape:
    """The ports of an element: a mode (push, pull, agnostic) for each input and output, and the flow between them."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    flow: FlowCode

    @classmethod
    def of(cls, router: Router, name: str, element: Element | type[Element], flow: str | None = None, incomplete: bool = False) -> Self:
        """The shape of an element in this router, by the codes of `element` or its class; ArgError for a bad code.

        An `incomplete` element may have more connections than are known: it gets as many ports on each side as are used on the side with
        more.
        """
        used = router.n_inputs(name), router.n_outputs(name)
        count = PortCount.parse(element.ports)
        counts = count.resolve(*([max(used)] * 2 if incomplete else used))
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
    """Report ports that don't exist; returns the connections between ports that do.

    Elements without a shape have an unknown class, so nothing is reported about them.
    """
    known = [c for c in router.connections if c.source.element in shapes and c.target.element in shapes]
    missing = {end for c in router.connections for end in ends(c) if not exists(end, shapes)}
    for connection in router.connections:
        for end in ends(connection):
            if end in missing:
                place, element = connection.place_at(end.is_output), router.element(end.port.element)
                in_click = Diagnostic(element.place, _no_such_port(end, f"{element.name} :: {element.class_name}"))
                found.error(place, _no_such_port(end, end.port.element), _has(router, shapes, end), (in_click,))
    return [c for c in known if not missing.intersection(ends(c))]


def exists(end: End, shapes: Mapping[str, Shape]) -> bool:
    shape = shapes.get(end.port.element)
    return shape is None or end.port.port < len(shape.modes(end.is_output))


def _no_such_port(end: End, name: str) -> str:
    return f"'{name}' has no {'output' if end.is_output else 'input'} {end.port.port}"


def _has(router: Router, shapes: Mapping[str, Shape], end: End) -> str:
    shape, class_name = shapes[end.port.element], router.element(end.port.element).class_name
    return f"{class_name} has {_count(shape.inputs, 'input')} and {_count(shape.outputs, 'output')} here"


def _count(modes: tuple[str, ...], what: str) -> str:
    number = len(modes) or "no"
    return f"{number} {what}{'' if number == 1 else 's'}"

"""The contents of a router's drawing: boxes, their ports, and the lines between them.

A folded compound element is one box, with a port wherever lines cross the compound's border.
"""

from collections.abc import Collection, Iterator

from clickbpf.frozen import frozen
from clickbpf.graph.ports import End
from clickbpf.graph.router import Port
from clickbpf.objects.hooks import TC, XDP
from clickbpf.plan.values import CONTROL, ELIDED, USER, Plan

#: The meanings of boxes' colours, which show where an element runs. A compound may have several.
MEANINGS = {
    XDP: "kernel (XDP)",
    TC: "kernel (TC)",
    USER: "user space",
    ELIDED: "elided: packets wait in the device's ring",
    CONTROL: "meets no packets",
}


@frozen
class PortDrawn:
    """A port's mode, "push" or "pull", and whether it is agnostic by its class."""

    mode: str
    agnostic: bool = False


@frozen
class Box:
    """An element, or a folded compound (of the elements whose names begin with its name and "/").

    `outside` is a box beyond the border of the drawn compound. `where` lists each of MEANINGS in the box once.
    """

    name: str
    lines: tuple[str, ...]
    where: tuple[str, ...]
    inputs: tuple[PortDrawn, ...] = ()
    outputs: tuple[PortDrawn, ...] = ()
    compound: bool = False
    outside: bool = False


@frozen
class Line:
    """A line from an output of one box (by number) to an input of another, for push or `pull`. `connection` is the number of the router's
    connection."""

    source: int
    output: int
    target: int
    input: int
    pull: bool
    connection: int


@frozen
class Picture:
    """`groups` are the unfolded compounds, each with the numbers of the boxes inside, at any depth."""

    name: str
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    groups: tuple[tuple[str, tuple[int, ...]], ...] = ()


#: The most characters of a line in a box; longer ones are cut.
WIDEST = 30


def picture(plan: Plan, compound: str = "", unfolded: bool | Collection[str] = False) -> Picture:
    """The picture of a whole router, or of one compound and the boxes outside that it is connected to. Compounds within are folded, except
    those in `unfolded`, or all if that is True. A compound within a folded one isn't visible."""
    names = frozenset(compounds(plan) if unfolded is True else unfolded or ())
    return _Drawing(plan, compound, names).picture()


def compounds(plan: Plan) -> list[str]:
    """The names of all compounds, each before those within it."""
    elements = plan.checked.instances
    return sorted({prefix for name in elements for prefix in _around(name, elements)})


def _around(name: str, elements: Collection[str]) -> Iterator[str]:
    """The compounds around an element, outermost first. An element's name isn't a compound's: flat routers may have `a` and `a/b`."""
    parts = name.split("/")
    for depth in range(1, len(parts)):
        prefix = "/".join(parts[:depth])
        if prefix not in elements:
            yield prefix


class _Drawing:
    def __init__(self, plan: Plan, compound: str, unfolded: frozenset[str]):
        self.plan, self.compound, self.unfolded = plan, compound, unfolded
        self.scope = f"{compound}/" if compound else ""
        self.numbers: dict[str, int] = {}
        self.members: dict[str, list[str]] = {}
        for name in plan.checked.instances:
            if name.startswith(self.scope):
                self._add(name)
        for connection in plan.checked.router.connections:
            inside = [port.element.startswith(self.scope) for port in (connection.source, connection.target)]
            if any(inside) and not all(inside):
                self._add((connection.target if inside[0] else connection.source).element)

    def _add(self, name: str) -> None:
        box = self.box_of(name)
        self.numbers.setdefault(box, len(self.numbers))
        self.members.setdefault(box, []).append(name)

    def box_of(self, name: str) -> str:
        """The name of the box that contains an element. For an element outside of the drawn compound, that is the element's outermost
        compound that doesn't contain the drawn one."""
        elements = self.plan.checked.instances
        if name.startswith(self.scope):
            around = (scope for scope in _around(name, elements) if scope.startswith(self.scope))
            return next((scope for scope in around if scope not in self.unfolded), name)
        outer = next((scope for scope in reversed(list(_around(self.scope, elements))) if name.startswith(scope + "/")), "")
        return (outer + "/" if outer else "") + name[len(outer) + 1 if outer else 0 :].partition("/")[0]

    def picture(self) -> Picture:
        ends: dict[tuple[str, bool], list[Port]] = {(box, side): self._ports(box, side) for box in self.numbers for side in (False, True)}
        lines = [
            Line(
                self.numbers[source],
                ends[source, True].index(connection.source),
                self.numbers[target],
                ends[target, False].index(connection.target),
                self._port(End(connection.source, True)).mode == "pull",
                number,
            )
            for number, connection in enumerate(self.plan.checked.router.connections)
            if (source := self.box_of(connection.source.element)) in self.numbers
            and (target := self.box_of(connection.target.element)) in self.numbers
            and (source != target or not self._folded(source))
            and (connection.source.element.startswith(self.scope) or connection.target.element.startswith(self.scope))
        ]
        boxes = [self._box(box, ends[box, False], ends[box, True]) for box in self.numbers]
        return Picture(self.compound, tuple(boxes), tuple(lines), tuple(self._groups()))

    def _folded(self, box: str) -> bool:
        return box not in self.plan.checked.instances

    def _ports(self, box: str, is_output: bool) -> list[Port]:
        """The ports of an element; for a folded compound, the inner ends of connections across its border."""
        if not self._folded(box):
            processing = self.plan.checked.processing[box]
            return [Port(box, number) for number in range(len(processing.outputs if is_output else processing.inputs))]
        crossing = {}
        for connection in self.plan.checked.router.connections:
            here, there = (connection.source, connection.target) if is_output else (connection.target, connection.source)
            if here.element.startswith(box + "/") and not there.element.startswith(box + "/"):
                crossing[here] = None
        position = self.plan.checked.router.position
        return sorted(crossing, key=lambda port: (position[port.element], port.port))

    def _port(self, end: End) -> PortDrawn:
        mode, agnostic, _ = self.plan.checked.processing[end.port.element].label(end).partition("~")
        return PortDrawn(mode, bool(agnostic))

    def _box(self, box: str, inputs: list[Port], outputs: list[Port]) -> Box:
        outside = not box.startswith(self.scope)
        places = dict.fromkeys(self.plan.placements[name].where for name in self.members[box])
        return Box(
            name=box,
            lines=self._text(box, outside),
            where=tuple(sorted(places, key=list(MEANINGS).index)),
            inputs=tuple(self._port(End(port, False)) for port in inputs),
            outputs=tuple(self._port(End(port, True)) for port in outputs),
            compound=self._folded(box),
            outside=outside,
        )

    def _text(self, box: str, outside: bool) -> tuple[str, ...]:
        """The lines of a box: name (unless anonymous), class and arguments, each cut to the size of a box."""
        own = box.rpartition("/")[2] if not outside else box
        if self._folded(box):
            return (_cut(own), "{ … }")
        element = self.plan.checked.router.element(box)
        name = () if "@" in own else (own,)
        config = ", ".join(" ".join(text.split()) for text, _ in element.args())
        return tuple(map(_cut, (*name, element.class_name, *([config] if config else ()))))

    def _groups(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        for group in sorted(self.unfolded):
            inside = tuple(number for box, number in self.numbers.items() if box.startswith(group + "/"))
            if group.startswith(self.scope) and inside:
                yield group, inside


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"

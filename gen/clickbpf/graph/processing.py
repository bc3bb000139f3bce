"""Decides which ports are push and which are pull, and reports conflicts.

Both ends of a connection have the same mode, and so do both ends of a path through an element between agnostic ports.  So modes
spread along agnostic ports from those that are push or pull by their class.  Where a push meets a pull, there is one of the
mistakes of the Click paper's figure 4.  Ports that nothing decides are push.
"""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from clickbpf.errors import Diagnostic, Diagnostics, Fix, Place
from clickbpf.frozen import frozen
from clickbpf.graph.codes import AGNOSTIC, PULL, PUSH
from clickbpf.graph.ports import End, Shape, ends
from clickbpf.graph.router import Connection, Port, Router


@frozen
class Processing:
    """The modes of an element's ports, "push" or "pull", and which of the ports are agnostic by their class."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    agnostic: frozenset[End] = frozenset()

    def label(self, end: End) -> str:
        """The mode as Click's handler `ports` shows it: push, pull, push~, pull~."""
        modes = self.outputs if end.is_output else self.inputs
        return modes[end.port.port] + ("~" if end in self.agnostic else "")


@frozen
class Coupling:
    """An output and an input that have the same mode: the ends of a connection or, without one, of a path through an element."""

    output: End
    input: End
    connection: Connection | None = None

    def other(self, end: End) -> End:
        return self.input if end == self.output else self.output


def resolve(
    router: Router, shapes: Mapping[str, Shape], connections: list[Connection], found: Diagnostics, incomplete: Collection[str] = ()
) -> tuple[dict[str, Processing], frozenset[End]]:
    """The modes of all ports, and the ports that are certainly pull, whatever mistakes there are.

    Conflicts are reported, and ports with several connections that may have one.  `incomplete` elements may have more connections.
    """
    given = dict(_given(shapes))
    couplings = [Coupling(*ends(connection), connection) for connection in connections]
    spread = _spread(given, [*couplings, *_inside(shapes, given)], _unclear(router, given, incomplete))
    for coupling in spread.conflicts:
        _report_conflict(router, coupling, spread, found)
    _check_reuse(router, couplings, spread, found)
    pulled = frozenset(end for end, mode in spread.modes.items() if mode == PULL and spread.is_certain(end))
    return {name: _processing(name, shape, given, spread.modes) for name, shape in shapes.items()}, pulled


def _given(shapes: Mapping[str, Shape]) -> Iterator[tuple[End, str]]:
    for name, shape in shapes.items():
        for is_output in (False, True):
            for port, mode in enumerate(shape.modes(is_output)):
                yield End(Port(name, port), is_output), mode


def _unclear(router: Router, given: Mapping[End, str], incomplete: Collection[str]) -> set[End]:
    """Ports whose mode may come from unknown parts of the router."""
    outside = {end for connection in router.connections for end in ends(connection)} - given.keys()
    beside = {end for connection in router.connections if outside.intersection(ends(connection)) for end in ends(connection)}
    return {end for end in given if end in beside or end.port.element in incomplete}


def _inside(shapes: Mapping[str, Shape], given: Mapping[End, str]) -> Iterator[Coupling]:
    """Paths between agnostic ports through elements."""
    for end, mode in given.items():
        if mode == AGNOSTIC and not end.is_output:
            for other in shapes[end.port.element].through(end):
                if given[other] == AGNOSTIC:
                    yield Coupling(other, end)


@dataclass
class Spread:
    """Modes, and the ports that they come from. `conflicts` has one coupling for each pair of such ports that disagree: two if the ports
    are connected both directly and through agnostic ports.

    Ports whose modes are in conflict with others are `disputed`. Ports without a mode that may get one from unknown parts of the router
    are `unclear`.
    """

    modes: dict[End, str]
    origins: dict[End, End]
    conflicts: list[Coupling]
    unclear: set[End]

    def __post_init__(self) -> None:
        self.disputed = {self.origins[end] for coupling in self.conflicts for end in (coupling.output, coupling.input)}

    def agrees(self, coupling: Coupling) -> bool:
        return self.modes.get(coupling.output, PUSH) == self.modes.get(coupling.input, PUSH)

    def is_certain(self, end: End) -> bool:
        """Whether the port's mode is its own, or comes from a port without a conflict."""
        origin = self.origins.get(end)
        return end not in self.unclear and (origin == end or origin not in self.disputed)


def _spread(given: Mapping[End, str], couplings: list[Coupling], unclear: set[End]) -> Spread:
    """Spread the given modes breadth first, so that each agnostic port gets the nearest one; then mark the ports that are unclear."""
    at: dict[End, list[Coupling]] = {end: [] for end in given}
    for coupling in couplings:
        at[coupling.output].append(coupling)
        at[coupling.input].append(coupling)
    modes = {end: mode for end, mode in given.items() if mode != AGNOSTIC}
    origins = {end: end for end in modes}
    for end, other in _reach(modes, at, modes):
        modes[other], origins[other] = modes[end], origins[end]
    undecided = {end for end in unclear if end not in modes}
    for _, other in _reach(undecided, at, modes.keys() | undecided):
        undecided.add(other)
    disagreeing = (coupling for coupling in couplings if coupling.output in modes and modes[coupling.output] != modes[coupling.input])
    by_origins: dict[tuple[frozenset[End], bool], Coupling] = {}
    for coupling in disagreeing:
        between = frozenset((origins[coupling.output], origins[coupling.input]))
        by_origins.setdefault((between, between == {coupling.output, coupling.input}), coupling)
    return Spread(modes, origins, list(by_origins.values()), undecided)


def _reach(begin: Iterable[End], at: Mapping[End, list[Coupling]], passed: Collection[End]) -> Iterator[tuple[End, End]]:
    """The ports that are reached from those in `begin`, breadth first, as (port that it was reached from, port).

    Ports in `passed` are left out, and each port comes once.
    """
    seen = set(passed)
    pending = deque(begin)
    while pending:
        end = pending.popleft()
        for coupling in at[end]:
            other = coupling.other(end)
            if other not in seen:
                seen.add(other)
                pending.append(other)
                yield end, other


def _report_conflict(router: Router, coupling: Coupling, spread: Spread, found: Diagnostics) -> None:
    output, input_ = coupling.output, coupling.input
    before, after = spread.modes[output], spread.modes[input_]
    place = _place(router, coupling)
    if coupling.connection:
        message = f"{before} {output} is connected to {after} {input_}"
        in_click = Diagnostic(None, f"{_in_click(router, output, spread)} connected to {_in_click(router, input_, spread)}")
    else:
        name, ports = output.port.element, (input_.port.port, output.port.port)
        message = f"'{name}' has a {after} input {ports[0]} and a {before} output {ports[1]}, but needs the same on both sides"
        said = f"agnostic '{name} :: {router.element(name).class_name}' in mixed context"
        in_click = Diagnostic(None, f"{said}: {after} input {ports[0]}, {before} output {ports[1]}")
        # Inside an element packets flow from its input to its output.
        before, after = after, before
    found.error(place, message, _advice(coupling, before, spread), (in_click,))


def _in_click(router: Router, end: End, spread: Spread) -> str:
    name = end.port.element
    kind = "output" if end.is_output else "input"
    return f"'{name} :: {router.element(name).class_name}' {spread.modes.get(end, PUSH)} {kind} {end.port.port}"


def _advice(coupling: Coupling, before: str, spread: Spread) -> Fix:
    """The hint: what to insert and, for modes that come from other ports, which ports these are."""
    said, missing = ("insert a Queue", "Queue") if before == PUSH else ("insert an Unqueue", "Unqueue")
    sides = [coupling.output, coupling.input] if coupling.connection else [coupling.input, coupling.output]
    origins = [spread.origins[end] for end in sides]
    if origins != sides:
        said += ": " + ", ".join(f"{origin} is {spread.modes[origin]}" for origin in origins)
    return Fix(said, "->", f"-> {missing} ->")


def _place(router: Router, coupling: Coupling) -> Place | None:
    """The place of the connection or, for a path inside an element, of the connection after it."""
    if coupling.connection:
        return coupling.connection.place
    port = coupling.output.port
    following = router.connections_from(port.element, port.port)
    return following[0].place if following else router.element(port.element).place


def _check_reuse(router: Router, couplings: list[Coupling], spread: Spread, found: Diagnostics) -> None:
    """Report push outputs and pull inputs with several connections: nobody knows which one a packet takes.

    A connection in conflict counts only at a port whose mode is its own: a Queue or Unqueue that is inserted wouldn't free that port.
    """
    connected: dict[End, list[Connection]] = {}
    for coupling in couplings:
        for end in (coupling.output, coupling.input):
            if spread.agrees(coupling) or spread.origins.get(end) == end:
                connected.setdefault(end, []).append(coupling.connection)
    for end, connections in connected.items():
        mode = spread.modes.get(end, PUSH)
        if len(connections) == 1 or mode != (PUSH if end.is_output else PULL) or not spread.is_certain(end):
            continue
        places = [None, None, *sorted(filter(None, (connection.place_at(end.is_output) for connection in connections)))]
        first, second = places[-len(connections) :][:2]
        said = (Diagnostic(router.element(end.port.element).place, f"illegal reuse of {_in_click(router, end, spread)}"),)
        found.error(second, f"{mode} {end} is connected {len(connections)} times", _reuse_advice(end, first), said)


def _reuse_advice(end: End, first: Place | None) -> str:
    advice = "use a Tee to copy packets" if end.is_output else "use a scheduler such as RoundRobinSched to merge pull paths"
    return f"{advice} (first connected at {first})" if first else advice


def _processing(name: str, shape: Shape, given: Mapping[End, str], modes: Mapping[End, str]) -> Processing:
    def resolved(is_output: bool) -> tuple[str, ...]:
        ports = range(len(shape.modes(is_output)))
        return tuple(modes.get(End(Port(name, port), is_output), PUSH) for port in ports)

    every = [End(Port(name, port), is_output) for is_output in (False, True) for port in range(len(shape.modes(is_output)))]
    return Processing(resolved(False), resolved(True), frozenset(end for end in every if given[end] == AGNOSTIC))

"""From definitions to elements and connections: replaces every compound element by its contents."""

from collections.abc import Iterator

from clickbpf.errors import Diagnostics, Place, Sources
from clickbpf.graph.definitions import (
    Class,
    CompoundClass,
    Definition,
    Node,
    Primitive,
    Tunnel,
    Unknown,
    count,
)
from clickbpf.graph.directives import argument
from clickbpf.graph.recovery import Gap, Recovery
from clickbpf.graph.router import Connection, Element, Port, in_order
from clickbpf.graph.tunnels import Spot, Tunnelled, check_tunnels
from clickbpf.lang.ast import Config
from clickbpf.lang.config import assign_arguments, split_args
from clickbpf.lang.variables import Scope, cut, expand, join

#: The most elements of a router, compounds included: a handover has 16 bits for its element, and a million elements take only twenty lines
#: of compounds, each with two of the one before. Then the deepest nesting of compounds, and the longest name of an element.
MOST_ELEMENTS, MOST_DEEP, LONGEST_NAME = 1 << 16, 100, 4096


class Expander:
    """Fills `elements`, in Click's order: a definition's own, then those of its compounds."""

    def __init__(self, diagnostics: Diagnostics, recovery: Recovery, sources: Sources) -> None:
        self.diagnostics, self.recovery, self.sources = diagnostics, recovery, sources
        self._depth = 0
        self.elements: list[Element] = []
        self._spots: list[Spot] = []
        self._tunnels: list[Tunnelled] = []
        self._taken: dict[str, Spot] = {}
        self._beside: list[tuple[Spot, Spot, Place]] = []

    def file(self, definition: Definition, scope: Scope) -> None:
        self._instance(definition, "", scope, None)
        self.recovery.gaps += [Gap(a.element, b.element, place) for a, b, place in self._beside if a.element and b.element]
        check_tunnels(self._tunnels, self._beside, self.diagnostics)
        self.recovery.incomplete |= self._incomplete()

    def _instance(self, definition: Definition, prefix: str, scope: Scope, owner: Spot | None) -> None:
        """Make spots for the nodes of one instance of a definition, then expand the compounds among them."""
        spots = {node: self._spot(node, prefix, owner) for node in definition.nodes}
        if owner:
            spots[definition.input] = Spot(f"{owner.name}/input", definition.input)
            spots[definition.output] = Spot(f"{owner.name}/output", definition.output, exit=owner)
            self._tunnel(owner, spots[definition.input], spots[definition.output])
        for group in definition.groups.values():
            outside, input_, output = spots[group.outside], spots[group.input], spots[group.output]
            output.exit = outside
            self._tunnel(outside, input_, output)
        for connection in definition.connections:
            source, target = spots.get(connection.source.node), spots.get(connection.target.node)
            if source and target:  # otherwise one end is missing, which was reported
                source.wires.append((connection.source.port, target, connection.target.port, connection.place))
                target.entered.setdefault(connection.target.port, connection.place)
        pairs = ((spots.get(gap.before), spots.get(gap.after), gap.place) for gap in definition.gaps)
        self._beside += [(before, after, place) for before, after, place in pairs if before and after]

        waiting = []
        for node in definition.nodes:
            if not isinstance(node.class_, Tunnel):
                config = expand(node.config or Config(""), scope)
                class_, values = self._class(spots[node], config)
                if isinstance(class_, Definition):
                    waiting.append((spots[node], class_, values))
                else:
                    self._element(spots[node], class_, config)
        for spot, class_, values in waiting:
            self._compound(spot, class_, values, scope)

    def _spot(self, node: Node, prefix: str, owner: Spot | None) -> Spot:
        spot = Spot(prefix + node.name, node)
        if len(self._spots) >= MOST_ELEMENTS:
            self._too_much(owner, node.place, f"more than {MOST_ELEMENTS} elements")
        if len(spot.name) > LONGEST_NAME:
            self._too_much(owner, node.place, f"an element's name of more than {LONGEST_NAME} characters")
        if old := self._taken.get(spot.name):
            self.diagnostics.error(
                owner.node.place if owner else node.place,
                f"redeclaration of element '{spot.name}'",
                f"'{spot.name}' is also declared at {old.node.place}",
            )
            self.recovery.unknown.add(spot.name)
        self._taken[spot.name] = spot
        self._spots.append(spot)
        return spot

    def _too_much(self, owner: Spot | None, place: Place, what: str) -> None:
        """Stop with a ClickError: going on would take all memory."""
        hint = f"'{owner.name[:80]}' at {owner.node.place} contains it" if owner else None
        self.diagnostics.error(place, what, hint)
        self.diagnostics.raise_if_errors(self.sources)

    def _tunnel(self, outside: Spot, input_: Spot, output: Spot) -> None:
        outside.exit = input_
        self._tunnels.append(Tunnelled(outside, input_, output))

    def _element(self, spot: Spot, class_: Class, config: Config) -> None:
        spot.element = spot.name
        if isinstance(class_, Unknown):
            self.recovery.unknown.add(spot.name)
        element = Element(spot.name, class_.name, config.text, spot.node.place, config.anchors)
        self.elements.append(element)

    # Compounds.

    def _class(self, spot: Spot, config: Config) -> tuple[Definition | Primitive | Unknown, list[Config]]:
        """An element's class: the definition of a compound, with its parameters' values, or a class that isn't a compound."""
        if not isinstance(spot.node.class_, CompoundClass):
            return spot.node.class_, []
        return self._overload(spot, [argument(config, text, offset) for text, offset in split_args(config.text)])

    def _compound(self, spot: Spot, definition: Definition, values: list[Config], scope: Scope) -> None:
        inner = Scope(scope.enclosing(definition.depth))
        inner.values.update(zip(definition.formals, values))
        for name, value, _ in definition.defines:
            inner.values[name] = expand(value, inner)
        self._depth += 1
        if self._depth > MOST_DEEP:
            self._too_much(spot, spot.node.place, f"more than {MOST_DEEP} compound elements within each other")
        self._instance(definition, f"{spot.name}/", inner, spot)
        self._depth -= 1

    def _overload(self, spot: Spot, args: list[Config]) -> tuple[Definition | Primitive | Unknown, list[Config]]:
        """The first definition that fits the element's ports and arguments, with its parameters' values.

        A single candidate need only fit the arguments, so that wrong ports are reported one by one. Nothing is reported where mistakes hide
        some of the ports.
        """
        candidates = list(_candidates(spot.node.class_))
        closest, unclear = None, spot.node.incomplete
        for candidate in candidates:
            if not isinstance(candidate, Definition):
                return candidate, []
            slots = assign_arguments([arg.text for arg in args], candidate.keywords)
            if slots is None:
                unclear |= candidate.unclear_formals
                continue
            values = [join([cut(args[index], offset) for index, offset in slot], ", ") for slot in slots]
            ports = (spot.node.n_inputs, spot.node.n_outputs)
            if ports == (candidate.n_inputs, candidate.n_outputs):
                return candidate, values
            closest = candidate, values
            unclear |= spot.node.incomplete or candidate.incomplete
        if closest and len(candidates) == 1:
            return closest
        if not unclear:
            self._no_match(spot, args, candidates)
        return Unknown(spot.node.class_.name), []

    def _no_match(self, spot: Spot, args: list[Config], candidates: list[Definition]) -> None:
        node = spot.node
        given = f"{count(len(args), 'argument')}, " if args else ""
        ports = f"{count(node.n_inputs, 'input')}, {count(node.n_outputs, 'output')}"
        name = node.class_.name or "<anonymous>"
        shown = ", ".join(f"{c.signature()} at {c.place}" for c in candidates)
        plural = "candidates are" if len(candidates) > 1 else "it is"
        self.diagnostics.error(node.place, f"no match for '{name}[{given}{ports}]'", f"{plural} {shown}")

    # Connections.

    def connections(self) -> tuple[Connection, ...]:
        """The connections between elements, through all tunnels."""
        found = []
        for spot in self._spots:
            if spot.element is None:
                continue
            for port, to, to_port, place in spot.wires:
                source = Port(spot.element, port)
                found += [Connection(source, target, place, at) for target, at in _targets(to, to_port, place)]
        return in_order(found, {e.name: i for i, e in enumerate(self.elements)})

    def _incomplete(self) -> set[str]:
        """Elements that may have more connections, which mistakes hide."""
        incomplete = {spot.element for spot in self._spots if spot.element and spot.node.incomplete}
        entered = {c.target for c in self.connections()}
        inner = (spot for tunnel in self._tunnels for spot in (tunnel.input, tunnel.output))
        for spot in (*self._spots, *inner):
            for _, to, port, place in spot.wires:
                # Connections without a source or a target are due to mistakes.
                reached = [target for target, _ in _targets(to, port, place)]
                if spot.element and not reached:
                    incomplete.add(spot.element)
                incomplete |= {target.element for target in reached if target not in entered}
        return incomplete


def _candidates(class_: Class):
    """The definitions of a compound and of those that it extends; a primitive class may come last."""
    while isinstance(class_, CompoundClass):
        yield from class_.overloads
        class_ = class_.extends
    if class_ is not None:
        yield class_


def _targets(spot: Spot, port: int, place: Place) -> Iterator[tuple[Port, Place]]:
    """The element ports that a connection to `port` of `spot` leads to, each with the place of the last arrow before it."""
    todo, seen = [(spot, port, place)], set()
    while todo:
        spot, port, place = todo.pop()
        if (spot, port) in seen:
            continue
        seen.add((spot, port))
        if spot.element is not None:
            yield Port(spot.element, port), place
        elif spot.exit is not None:
            todo += [(to, n, at) for p, to, n, at in spot.exit.wires if p == port]

"""Definitions: the contents of a `{ ... }`, or of the whole file, after names are looked up.

This is the form between syntax tree and flat router.  Elements are numbered in Click's order, because the numbers are in the
names of anonymous elements: an element group counts as three, `input` and `output` don't count.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from clickbpf.errors import Place
from clickbpf.frozen import frozen
from clickbpf.lang.ast import Config


@frozen(slots=True)
class Primitive:
    """A class that isn't defined in the configuration."""

    name: str


@frozen(slots=True)
class Tunnel:
    """The class of nodes that only lead connections on: groups, `input` and `output`.

    A connection that enters a group's own node goes on at its `input` node; one that enters its `output` node, at the group's own.
    """


TUNNEL = Tunnel()


@dataclass(eq=False, slots=True)
class Node:
    """An element of a definition.  Anonymous ones are named once the definition is complete.

    An `incomplete` one may have more connections, which a mistake hides.
    """

    name: str
    class_: Class
    config: Config | None
    place: Place
    anonymous: bool = False
    n_inputs: int = 0  # one more than the highest port in use
    n_outputs: int = 0
    incomplete: bool = False


@frozen(slots=True)
class NodePort:
    node: Node
    port: int


@frozen(slots=True)
class NodeConnection:
    source: NodePort
    target: NodePort
    place: Place


@frozen(slots=True)
class Beside:
    """Two nodes with neither arrow nor semicolon between them."""

    before: Node
    after: Node
    place: Place


@frozen(slots=True)
class GroupTunnel:
    """The three nodes of an element group: outside, and its `input` and `output` inside."""

    outside: Node
    input: Node
    output: Node


@dataclass(eq=False, slots=True)
class Definition:
    """One body of a compound, or the file (which has no `input` and `output`).

    `gaps` are pairs of adjacent elements, where an arrow may be missing. `unclear_formals`: because of mistakes in its parameters, nobody
    knows which arguments fit the definition.
    """

    name: str
    place: Place
    depth: int
    keywords: list[str | None] = field(default_factory=list)
    formals: list[str] = field(default_factory=list)
    defines: list[tuple[str, Config, Place]] = field(default_factory=list)
    input: Node | None = None
    output: Node | None = None
    nodes: list[Node] = field(default_factory=list)
    names: dict[str, Node] = field(default_factory=dict)
    groups: dict[Node, GroupTunnel] = field(default_factory=dict)
    connections: list[NodeConnection] = field(default_factory=list)
    gaps: list[Beside] = field(default_factory=list)
    unclear_formals: bool = False

    @property
    def printable(self) -> str:
        return self.name or "<anonymous>"

    @property
    def incomplete(self) -> bool:
        """Whether mistakes hide some of its ports."""
        return any(node is not None and node.incomplete for node in (self.input, self.output))

    @property
    def n_inputs(self) -> int:
        return self.input.n_outputs if self.input else 0

    @property
    def n_outputs(self) -> int:
        return self.output.n_inputs if self.output else 0

    def connect(self, source: NodePort, target: NodePort, place: Place) -> None:
        self.connections.append(NodeConnection(source, target, place))
        source.node.n_outputs = max(source.node.n_outputs, source.port + 1)
        target.node.n_inputs = max(target.node.n_inputs, target.port + 1)

    def signature(self) -> str:
        """For messages: `Name(<arg>, KEY, ...)[1 input, 2 outputs]`."""
        shown = ["<arg>" if k is None else "..." if k == "__REST__" else k for k in self.keywords]
        arguments = f"({', '.join(shown)})" if shown else ""
        ports = f"{count(self.n_inputs, 'input')}, {count(self.n_outputs, 'output')}"
        return f"{self.printable}{arguments}[{ports}]"

    def add(self, name: str, class_: Class, config: Config | None, place: Place) -> Node:
        node = Node(name, class_, config, place)
        self.nodes.append(node)
        self.names[name] = node
        return node

    def add_anonymous(self, base: str, class_: Class, config: Config | None, place: Place) -> Node:
        node = Node(f"{base}@{len(self.nodes) + 1}", class_, config, place, anonymous=True)
        self.nodes.append(node)
        return node

    def name_anonymous(self) -> None:
        """Name anonymous elements; where another element was given such a name, the number goes up."""
        for node in self.nodes:
            if node.anonymous:
                base, _, number = node.name.rpartition("@")
                free = (f"{base}@{n}" for n in itertools.count(int(number)))
                node.name = next(name for name in free if name not in self.names)
                self.names[node.name] = node


@dataclass(eq=False, slots=True)
class CompoundClass:
    """A compound: its overloads in order of preference, then the class it extends, if any."""

    name: str
    overloads: list[Definition]
    extends: Class | None = None


@dataclass(eq=False, slots=True)
class Unknown:
    """Replaces a class that was reported as wrong, so that nothing more is reported about its elements."""

    name: str


Class = Primitive | Tunnel | CompoundClass | Unknown


def count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"

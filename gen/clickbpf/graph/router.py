"""The flat router graph: elements with names and classes, and connections between their ports.

All stages after elaboration work on this value.  It never changes: an edit makes a new router.  Queries use indexes, which are made
once per router, on first use.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Self

from clickbpf.errors import Diagnostic, Place, Sources
from clickbpf.frozen import frozen
from clickbpf.lang.ast import Anchor, Config
from clickbpf.lang.config import split_args


@frozen(slots=True)
class Element:
    """One element: its full name (`outer/inner`), class, and configuration string.

    `place` is where it was written; `config_anchors` have the places of the string's parts, since variables were expanded.
    """

    name: str
    class_name: str
    config: str = ""
    place: Place | None = field(default=None, compare=False)
    config_anchors: tuple[Anchor, ...] = field(default=(), compare=False, repr=False)

    def place_of(self, offset: int) -> Place | None:
        """The place of the character at `offset` of the configuration string."""
        if not self.config_anchors:
            return self.place
        return Config(self.config, self.config_anchors).place_of(offset)

    def args(self) -> list[tuple[str, Place | None]]:
        """The arguments of the configuration string, each with its place."""
        return [(text, self.place_of(offset)) for text, offset in split_args(self.config)]


@dataclass(frozen=True, order=True, slots=True)
class Port:
    """Port number `port` of the element named `element`: an input or an output, depending on its use."""

    element: str
    port: int = 0

    def __str__(self) -> str:
        return f"{self.element}[{self.port}]"


@frozen(slots=True)
class Connection:
    """From an output port to an input port.

    `place` is the arrow at the source; `target_place` the arrow at the target, if that is another one because the connection leads into
    or out of compound elements.
    """

    source: Port
    target: Port
    place: Place | None = field(default=None, compare=False)
    target_place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.source} -> {self.target}"

    def place_at(self, is_output: bool) -> Place | None:
        """The place of the arrow at the output, or at the input."""
        return self.place if is_output else self.target_place or self.place


@frozen
class Router:
    """Elements in Click's order; connections by source element and port, each once.

    `requirements` are (kind, value) pairs such as ("package", "fastclassifier"), `required_at` the values' places; `archive` has the other
    members of the configuration's archive; `text` is the configuration as written, `given` its variables that were set from outside, and
    `has_libraries` says whether it includes others; `warnings` are those of earlier stages; `variables` are all variables except compound
    elements' parameters.
    """

    elements: tuple[Element, ...] = ()
    connections: tuple[Connection, ...] = ()
    requirements: tuple[tuple[str, str], ...] = ()
    provisions: tuple[str, ...] = ()
    archive: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    sources: Sources = field(default_factory=Sources, compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)
    given: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), compare=False, repr=False)
    has_libraries: bool = field(default=False, compare=False, repr=False)
    required_at: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}), compare=False, repr=False)
    warnings: tuple[Diagnostic, ...] = field(default=(), compare=False, repr=False)
    variables: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    # Queries.

    @property
    def is_written_alone(self) -> bool:
        """Whether `text`, with the variables that were `given`, is all that there is to read, in the language as Click has it."""
        return bool(self.text) and not (self.has_libraries or self.archive or ("compact_config", "") in self.requirements)

    @cached_property
    def by_name(self) -> Mapping[str, Element]:
        return MappingProxyType({e.name: e for e in self.elements})

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The index of each element, by name."""
        return MappingProxyType({e.name: i for i, e in enumerate(self.elements)})

    def element(self, name: str) -> Element:
        """The element called `name`; raises KeyError."""
        return self.by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self.by_name

    @cached_property
    def _from(self) -> Mapping[str, tuple[Connection, ...]]:
        return _index(self.connections, lambda c: c.source.element)

    @cached_property
    def _to(self) -> Mapping[str, tuple[Connection, ...]]:
        return _index(self.connections, lambda c: c.target.element)

    def connections_from(self, element: str, port: int | None = None) -> tuple[Connection, ...]:
        """The connections that leave `element`, at `port` or at any."""
        found = self._from.get(element, ())
        return found if port is None else tuple(c for c in found if c.source.port == port)

    def connections_to(self, element: str, port: int | None = None) -> tuple[Connection, ...]:
        """The connections that enter `element`, at `port` or at any."""
        found = self._to.get(element, ())
        return found if port is None else tuple(c for c in found if c.target.port == port)

    def n_inputs(self, element: str) -> int:
        """One more than the highest input port in use; 0 if none is."""
        return max((c.target.port + 1 for c in self._to.get(element, ())), default=0)

    def n_outputs(self, element: str) -> int:
        """One more than the highest output port in use; 0 if none is."""
        return max((c.source.port + 1 for c in self._from.get(element, ())), default=0)

    def of_class(self, class_name: str) -> tuple[Element, ...]:
        return tuple(e for e in self.elements if e.class_name == class_name)

    # Edits: each gives a new router.

    def with_elements(self, *added: Element) -> Self:
        """Add elements; ValueError for a name in use."""
        names = [e.name for e in added]
        if used := sorted({n for n in names if n in self or names.count(n) > 1}):
            raise ValueError(f"element names used twice: {used}")
        return replace(self, elements=self.elements + added)

    def without_elements(self, *names: str) -> Self:
        """Remove elements together with all their connections."""
        gone = set(names)
        return replace(
            self,
            elements=tuple(e for e in self.elements if e.name not in gone),
            connections=tuple(c for c in self.connections if c.source.element not in gone and c.target.element not in gone),
        )

    def with_element_replaced(self, name: str, element: Element) -> Self:
        """Replace the element `name` by `element`, which takes its connections."""
        if name not in self or (element.name != name and element.name in self):
            raise ValueError(f"cannot replace '{name}' by '{element.name}'")

        def renamed(port: Port) -> Port:
            return Port(element.name, port.port) if port.element == name else port

        return replace(
            self,
            elements=tuple(element if e.name == name else e for e in self.elements),
            connections=tuple(replace(c, source=renamed(c.source), target=renamed(c.target)) for c in self.connections),
        )

    def with_connections(self, *added: Connection) -> Self:
        """Add connections; those that exist already are not added again."""
        return replace(self, connections=in_order([*self.connections, *added], self.position))

    def without_connections(self, *removed: Connection) -> Self:
        gone = set(removed)
        return replace(self, connections=tuple(c for c in self.connections if c not in gone))

    def bypass(self, name: str, input_port: int = 0, output_port: int = 0) -> Self:
        """Remove an element and join what enters `input_port` to what leaves `output_port`."""
        joined = [
            replace(before, target=after.target)
            for before in self.connections_to(name, input_port)
            for after in self.connections_from(name, output_port)
            if before.source.element != name and after.target.element != name
        ]
        return self.without_elements(name).with_connections(*joined)


def in_order(connections: Iterable[Connection], position: Mapping[str, int]) -> tuple[Connection, ...]:
    """Connections, each once, sorted by source and target in the order of the elements.

    ValueError if one names an element that doesn't exist.
    """
    unique = list(dict.fromkeys(connections))
    for connection in unique:
        for port in (connection.source, connection.target):
            if port.element not in position:
                raise ValueError(f"'{connection}' names '{port.element}', which is not an element")

    def key(c: Connection) -> tuple[int, int, int, int]:
        return (position[c.source.element], c.source.port, position[c.target.element], c.target.port)

    return tuple(sorted(unique, key=key))


def _index(connections, key) -> Mapping[str, tuple[Connection, ...]]:
    found: dict[str, list[Connection]] = {}
    for connection in connections:
        found.setdefault(key(connection), []).append(connection)
    return {name: tuple(values) for name, values in found.items()}

"""Pattern files: pairs of compound elements, the second of which replaces the first.

elementclass X { input -> Counter -> Counter -> output; }
elementclass X_Replacement { input -> Counter -> output; }
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Self

from clickbpf.errors import Diagnostics, Sources
from clickbpf.frozen import frozen
from clickbpf.graph.classes import Classes
from clickbpf.graph.definitions import CompoundClass, Definition
from clickbpf.graph.directives import Directives
from clickbpf.graph.elaborate import elaborate
from clickbpf.graph.recovery import Recovery
from clickbpf.graph.resolve import Resolver
from clickbpf.graph.router import Connection, Element, Port
from clickbpf.lang import ast
from clickbpf.lang.load import library_finder, parse_file
from clickbpf.lang.parser import parse

REPLACEMENT = "_Replacement"
#: Names for the compound, its input and its output; no pattern file declares elements.
_WHOLE, _INPUT, _OUTPUT = "whole", "input_ports", "output_ports"


@frozen
class Fragment:
    """The content of a compound element, with names as in the compound.

    `entries` are pairs of a compound's input and the port that it leads to; `exits` of a port and the output that it leads to;
    `passages` of an input and an output to which it is connected directly.
    """

    elements: tuple[Element, ...]
    connections: tuple[Connection, ...]
    entries: tuple[tuple[int, Port], ...]
    exits: tuple[tuple[Port, int], ...]
    passages: tuple[tuple[int, int], ...]


@frozen
class Pattern:
    name: str
    find: Fragment
    put: Fragment

    def reversed(self) -> Self:
        return Pattern(self.name, self.put, self.find)


def read_patterns(path: str) -> list[Pattern]:
    """The patterns of a file, in its order; ClickError if it has mistakes. A compound without a replacement is not a pattern."""
    sources, found = Sources(), Diagnostics()
    tree = parse_file(path, sources, found)
    recovery = Recovery()
    directives = Directives(found, library_finder(sources, found), recovery)
    resolver = Resolver(Classes(None), found, directives, recovery)
    resolver.file(tree)
    found.raise_if_errors(sources)
    written = [statement.name for statement in tree.statements if isinstance(statement, ast.ElementClass)]
    definitions = {name: _definition(resolver, name) for name in written}
    pairs = [(name, name + REPLACEMENT) for name in written if definitions.get(name) and definitions.get(name + REPLACEMENT)]
    return [Pattern(one, *(_fragment(tree, name, definitions[name]) for name in (one, other))) for one, other in pairs]


def _definition(resolver: Resolver, name: str) -> Definition | None:
    found = resolver.classes.find(name)
    return found.overloads[-1] if isinstance(found, CompoundClass) and found.overloads else None


def _fragment(tree: ast.File, name: str, definition: Definition) -> Fragment:
    """Put the compound between two elements that represent its ports, and expand it."""
    lines = [f"{_WHOLE} :: {name}; {_INPUT} :: {_INPUT}Class; {_OUTPUT} :: {_OUTPUT}Class;"]
    lines += [f"{_INPUT} [{port}] -> [{port}] {_WHOLE};" for port in range(definition.n_inputs)]
    lines += [f"{_WHOLE} [{port}] -> [{port}] {_OUTPUT};" for port in range(definition.n_outputs)]
    around = parse("\n".join(lines), name, Sources(), Diagnostics())
    router = elaborate(ast.File((*tree.statements, *around.statements), tree.sources))
    return _cut_out(router.elements, router.connections)


def _cut_out(elements: Iterable[Element], connections: Iterable[Connection]) -> Fragment:
    inner, entries, exits, passages = [], [], [], []
    for connection in connections:
        source, target = connection.source, connection.target
        if source.element == _INPUT and target.element == _OUTPUT:
            passages.append((source.port, target.port))
        elif source.element == _INPUT:
            entries.append((source.port, _short(target)))
        elif target.element == _OUTPUT:
            exits.append((_short(source), target.port))
        else:
            inner.append(Connection(_short(source), _short(target)))
    inside = tuple(replace(e, name=_inside(e.name)) for e in elements if e.name not in (_INPUT, _OUTPUT))
    return Fragment(inside, tuple(inner), tuple(entries), tuple(exits), tuple(passages))


def _short(port: Port) -> Port:
    return Port(_inside(port.element), port.port)


def _inside(name: str) -> str:
    return name.removeprefix(f"{_WHOLE}/")

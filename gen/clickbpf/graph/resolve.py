"""Syntax tree to definitions: which name means which element or class.

Statements are taken in order, and a name means what was declared before it.  In a connection a name
that is a class makes a new element of it; otherwise it refers to an element of the same definition.
Class names are lexically scoped, element names local to their definition; element groups open no
scope.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable

from clickbpf.errors import Diagnostics, Place
from clickbpf.graph.connect import Side, numbers, pair
from clickbpf.graph.definitions import (
    TUNNEL,
    Class,
    CompoundClass,
    Definition,
    GroupTunnel,
    Node,
    Primitive,
    Tunnel,
    Unknown,
)
from clickbpf.graph.directives import Directives
from clickbpf.lang import ast

Known = Callable[[str], bool] | Collection[str]


class Classes:
    """The element classes in scope; `known` decides about those not defined in the text.

    Without `known` every name used as a class is one, as for tools that don't know the elements.
    """

    def __init__(self, known: Known | None) -> None:
        self.known = known
        self._scopes: list[dict[str, Class]] = [{}]
        self._assumed: dict[str, Class] = {}

    def find(self, name: str) -> Class | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        if name in self._assumed:
            return self._assumed[name]
        return Primitive(name) if self.is_known(name) else None

    def is_known(self, name: str) -> bool:
        if self.known is None:
            return False
        return bool(self.known(name) if callable(self.known) else name in self.known)

    def define(self, name: str, class_: Class) -> None:
        self._scopes[-1][name] = class_

    def assume(self, name: str) -> Class:
        """Make up a class: a primitive one where nobody knows better, else a wrong one."""
        if self.known is None:
            return self._assumed.setdefault(name, Primitive(name))
        self.define(name, Unknown(name))
        return self._scopes[-1][name]

    def enter(self) -> None:
        self._scopes.append({})

    def leave(self) -> None:
        self._scopes.pop()

    def names(self) -> set[str]:
        seen = set().union(*self._scopes)
        return seen if callable(self.known) or self.known is None else seen | set(self.known)


class Resolver:
    """Builds the definition of a file; nested compounds are built as they are met."""

    def __init__(self, classes: Classes, diagnostics: Diagnostics, directives: Directives) -> None:
        self.classes, self.diagnostics, self.directives = classes, diagnostics, directives
        self.definition = Definition("", ast.NOWHERE, 0)
        self.defining: list[str] = []  # the element classes around
        self.around: tuple[ast.Statement, ...] = ()  # the statements of the definition

    def file(self, file: ast.File) -> Definition:
        self.around = file.statements
        self.statements(file.statements)
        self.definition.name_anonymous()
        return self.definition

    def statements(self, statements: Iterable[ast.Statement]) -> None:
        for statement in statements:
            match statement:
                case ast.Chain():
                    self.chain(statement)
                case ast.Declaration():
                    self.declaration(statement)
                case ast.ElementClass():
                    self.elementclass(statement)
                case ast.Define():
                    self.directives.define(statement, self.definition)
                case ast.Provide():
                    self.directives.provide(statement)
                case ast.Require():
                    for library in self.directives.require(statement, self.definition):
                        self.statements(library.statements)

    # Classes.

    def elementclass(self, statement: ast.ElementClass) -> None:
        self.defining.append(statement.name)
        class_ = self.class_(statement.class_, statement.name)
        self.defining.pop()
        self.classes.define(statement.name, class_)

    def class_(self, written: ast.ClassName | ast.Compound, name: str = "") -> Class:
        if isinstance(written, ast.Compound):
            return self.compound(written, name)
        found = self.classes.find(written.name)
        if found:
            return found
        if self.classes.known is not None:
            self.diagnostics.error(
                written.place,
                f"unknown element class '{written.name}'",
                self.class_hint(written.name),
            )
        elif old := self.definition.names.get(written.name):
            self.diagnostics.error(
                written.place,
                f"element '{written.name}' used as a class",
                f"'{written.name}' is declared at {old.place}",
            )
        return self.classes.assume(written.name)

    def class_hint(self, name: str) -> str | None:
        if name in self.defining:
            return (
                "a compound element can't contain itself: "
                f"within its own definition '{name}' means an earlier class of that name"
            )
        return did_you_mean(name, self.classes.names())

    def compound(self, written: ast.Compound, name: str) -> CompoundClass:
        overloads = [self.body(body, name, written.place) for body in written.bodies]
        extended = None
        if written.extends:
            extended = self.classes.find(name) if name else None
            if extended is None and name and self.classes.known is None:
                extended = self.classes.assume(name)
            elif extended is None:
                what = f"unknown element class '{name}'" if name else "an anonymous compound element"
                self.diagnostics.error(
                    written.place,
                    f"cannot extend {what}",
                    "'|| ...' adds to an earlier class of the same name",
                )
                extended = Unknown(name)
        return CompoundClass(name, overloads, extended)

    def body(self, body: ast.Body, name: str, place: Place) -> Definition:
        outer = self.definition
        self.definition = inner = Definition(name, place, outer.depth + 1)
        inner.input = Node("input", TUNNEL, None, place)
        inner.output = Node("output", TUNNEL, None, place)
        inner.names.update(input=inner.input, output=inner.output)
        self.directives.formals(body.formals, inner)
        self.classes.enter()
        around, self.around = self.around, body.statements
        self.statements(body.statements)
        self.around = around
        self.classes.leave()
        self.check_pseudo(inner.input, inner.output, f"'{inner.printable}'", place)
        inner.name_anonymous()
        self.definition = outer
        return inner

    def check_pseudo(
        self, input_: Node, output: Node, owner: str, place: Place, begin: int = 0
    ) -> None:
        """`input` and `output` are used from the right side only, and without gaps.

        Their links are those from number `begin` on.
        """
        sources, targets = set(), set()
        for link in self.definition.links[begin:]:
            if link.target.node is input_:
                self.diagnostics.error(
                    link.place, f"{owner} pseudoelement 'input' may only be used as output"
                )
            if link.source.node is output:
                self.diagnostics.error(
                    link.place, f"{owner} pseudoelement 'output' may only be used as input"
                )
            if link.source.node is input_:
                sources.add(link.source.port)
            if link.target.node is output:
                targets.add(link.target.port)
        for kind, used in (("input", sources), ("output", targets)):
            for port in set(range(max(used, default=-1))) - used:
                self.diagnostics.error(
                    place, f"{owner} {kind} {port} missing", "ports must be used without gaps"
                )

    # Elements.

    def declaration(self, statement: ast.Declaration) -> None:
        found = [self.classes.find(name.name) for name in statement.names]
        class_ = self.class_(statement.class_)
        for name, clash in zip(statement.names, found):
            self.declare(name.name, name.place, class_, statement.config, clash)

    def declare(
        self,
        name: str,
        place: Place,
        class_: Class,
        config: ast.Config | None,
        clash: Class | None,
    ) -> Node:
        """Make element `name`; `clash` is the class of that name, which must not exist."""
        assumed = self.classes.known is None
        if clash is None and assumed and class_ == Primitive(name):
            clash = class_
        if clash is not None:
            if not isinstance(clash, Unknown):
                late = assumed and isinstance(clash, Primitive) and clash is not class_
                hint = f"declare '{name}' before its first use" if late else None
                self.diagnostics.error(
                    place,
                    f"class '{name}' used as element name",
                    hint or "give the element another name",
                )
            return self.definition.add_anonymous(name, clash, config, place)
        if old := self.definition.names.get(name):
            where = "" if isinstance(old.class_, Tunnel) else f"'{name}' is declared at {old.place}"
            self.diagnostics.error(place, f"redeclaration of element '{name}'", where or None)
            return old
        if any(part.isdigit() for part in name.split("/")):
            self.diagnostics.error(
                place, f"element name '{name}' has all-digit component", "begin it with a letter"
            )
        return self.definition.add(name, class_, config, place)

    def use(self, use: ast.Use, class_: Class | None) -> Node:
        if class_ is not None:
            return self.definition.add_anonymous(use.name, class_, use.config, use.place)
        if node := self.definition.names.get(use.name):
            if use.config is not None:
                self.diagnostics.error(
                    use.config.place,
                    f"configuration string of element '{use.name}' belongs to its declaration",
                    f"'{use.name}' is declared at {node.place}",
                )
            return node
        if self.classes.known is not None:
            self.diagnostics.error(
                use.place, f"undeclared element '{use.name}'", self.element_hint(use)
            )
        class_ = self.classes.assume(use.name)
        return self.definition.add_anonymous(use.name, class_, use.config, use.place)

    def element_hint(self, use: ast.Use) -> str | None:
        if use.name in self.defining:
            return self.class_hint(use.name)
        if use.name in ("input", "output"):
            return f"'{use.name}' exists only inside of '{{ }}' and '( )'"
        if place := declared(use.name, self.around):
            return f"its declaration at {place} comes too late; declare elements before their use"
        return did_you_mean(use.name, self.classes.names() | set(self.definition.names))

    def group(self, group: ast.Group) -> Node:
        """An element group: its statements become part of the definition, behind a tunnel."""
        definition = self.definition
        outside = definition.add_anonymous("", TUNNEL, None, group.place)
        tunnel = GroupTunnel(outside, *(
            definition.add_anonymous("", TUNNEL, None, group.place) for _ in range(2)
        ))  # fmt: skip
        definition.groups[outside] = tunnel
        saved = {k: definition.names.get(k) for k in ("input", "output")}
        definition.names.update(input=tunnel.input, output=tunnel.output)
        begin = len(definition.links)
        self.statements(group.statements)
        self.check_pseudo(tunnel.input, tunnel.output, "element group", group.place, begin)
        for name, node in saved.items():
            if node:
                definition.names[name] = node
            else:
                del definition.names[name]
        return outside

    # Connections.

    def chain(self, chain: ast.Chain) -> None:
        before: list[tuple[ast.Item, Node]] = []
        for number, hop in enumerate(chain.hops):
            items = self.hop(hop, first=number == 0, last=number == len(chain.hops) - 1)
            if number:
                arrow = chain.arrows[number - 1]

                def report(message: str, hint: str | None, place: Place = arrow.place) -> None:
                    self.diagnostics.error(place, message, hint)

                outputs = [self.side(item, node, True) for item, node in before]
                inputs = [self.side(item, node, False) for item, node in items]
                for source, target in pair(outputs, inputs, arrow.text, report):
                    self.definition.connect(source, target, arrow.place)
            before = items
        if len(chain.hops) == 1:
            self.check_effect(before)

    def check_effect(self, items: list[tuple[ast.Item, Node]]) -> None:
        """Warn of a name that stands alone: most often an arrow is missing."""
        for item, node in items:
            if isinstance(item.element, ast.Use) and node is self.definition.names.get(node.name):
                self.diagnostics.warning(
                    item.place, f"'{node.name}' alone has no effect", "is a '->' missing?"
                )

    def hop(self, hop, first: bool, last: bool) -> list[tuple[ast.Item, Node]]:
        """The elements of a hop.  Groups and classes are looked into before any element is made."""
        pending = []
        for item in hop:
            match item.element:
                case ast.Use(name=name):
                    pending.append(self.classes.find(name))
                case ast.Declare(name=name) as declare:
                    pending.append((self.classes.find(name), self.class_(declare.class_)))
                case ast.Anonymous() as anonymous:
                    pending.append(self.compound(anonymous.compound, ""))
                case ast.Group() as group:
                    pending.append(self.group(group))
                case None:
                    pending.append(self.implicit(first))
        return [(item, self.node(item.element, found)) for item, found in zip(hop, pending)]

    def node(self, element, found) -> Node:
        match element:
            case ast.Use():
                return self.use(element, found)
            case ast.Declare(name=name, place=place, config=config):
                return self.declare(name, place, found[1], config, found[0])
            case ast.Anonymous(config=config, place=place):
                return self.definition.add_anonymous("", found, config, place)
        return found

    def implicit(self, first: bool) -> Node:
        return self.definition.names["input" if first else "output"]

    def side(self, item: ast.Item, node: Node, output: bool) -> Side:
        ports = item.inputs if item.element is None else item.outputs if output else item.inputs
        found = numbers(ports)
        if found is None and isinstance(item.element, ast.Group):
            tunnel = self.definition.groups[node]
            n = tunnel.output.n_inputs if output else tunnel.input.n_outputs
            found = tuple(range(n)) or None
        return Side(node, found, ports is not None and ports.open)


def declared(name: str, statements: Iterable[ast.Statement]) -> Place | None:
    """Where `name` is declared in these statements and the groups among them."""
    for statement in statements:
        if isinstance(statement, ast.Declaration):
            for found in statement.names:
                if found.name == name:
                    return found.place
        elif isinstance(statement, ast.Chain):
            for item in (item for hop in statement.hops for item in hop):
                match item.element:
                    case ast.Declare(name=found, place=place) if found == name:
                        return place
                    case ast.Group(statements=inside) if place := declared(name, inside):
                        return place
    return None


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the closest candidate, if one is close."""
    folded = {c.casefold(): c for c in sorted(candidates)}
    close = difflib.get_close_matches(name.casefold(), folded, n=1)
    return f"did you mean '{folded[close[0]]}'?" if close else None

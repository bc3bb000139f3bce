"""From syntax tree to definitions: looks up which element or class each name refers to.

Statements are taken in order, and names refer to earlier declarations.  In a connection the name of a class makes a new element of
that class; any other name refers to an element of the same definition.  Class names are lexically scoped, element names local to
their definition; element groups open no scope.

Of a statement with syntax mistakes only the elements are made, as far as they can be recognised.  Since it makes no connections, they are
`incomplete`; unknown names that the statement may define aren't reported.
"""

from collections.abc import Iterable

from clickbpf.errors import Diagnostic, Diagnostics, Place
from clickbpf.graph.classes import Classes
from clickbpf.graph.connect import Side, numbers, pair
from clickbpf.graph.declarations import Declarations
from clickbpf.graph.definitions import (
    TUNNEL,
    Beside,
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
from clickbpf.graph.pseudo import check_pseudo
from clickbpf.graph.recovery import Recovery
from clickbpf.lang import ast

#: After a class that doesn't exist, and has no similar name.
OTHER_CLASSES = "'clickbpf elements' lists the classes, 'clickbpf elements vlan' those whose name or summary has that word"
#: The first and the last element of a statement, if it has one.
Ends = tuple[Node | None, Node | None]
NONE: Ends = (None, None)


class Resolver:
    """Builds the definition of a file; nested compounds are built as they are met."""

    def __init__(self, classes: Classes, diagnostics: Diagnostics, directives: Directives, recovery: Recovery) -> None:
        self.classes, self.diagnostics, self.directives, self.recovery = classes, diagnostics, directives, recovery
        self.definition = Definition("", ast.NOWHERE, 0)
        self.defining: list[str] = []  # the classes whose definitions enclose the present one
        self.declarations = Declarations()  # of the definition at hand
        self.listing = self.listed = False  # whether the statement is a list of names, and whether one of them was reported

    def file(self, file: ast.File) -> Definition:
        self.declarations = Declarations(file.statements)
        self.recovery.look_ahead(file.statements)
        self.statements(file.statements)
        self.mark_incomplete()
        self.definition.name_anonymous()
        return self.definition

    def statements(self, statements: Iterable[ast.Statement]) -> None:
        before: Node | None = None
        stray: Place | None = None
        for statement in statements:
            if stray and getattr(statement, "abuts", False) and statement.place.line == stray.line:
                # It follows an unknown name: a keyword or an operator may be missing, or mistyped.
                self.recovery.note_unclear(statement)
                self.statement(ast.Broken(statement))
                continue
            first, last = self.statement(statement)
            stray = statement.place if self.ends_in_nothing(statement) else None
            if before and first and statement.abuts:
                self.definition.gaps.append(Beside(before, first, statement.place))
            before = last

    def ends_in_nothing(self, statement: ast.Statement) -> bool:
        """Whether the last name of a chain is unknown."""
        last = statement.hops[-1][-1].element if isinstance(statement, ast.Chain) else None
        return isinstance(last, ast.Use) and last.config is None and last.name in self.recovery.missing.used

    def statement(self, statement: ast.Statement | None) -> Ends:
        match statement:
            case ast.Chain():
                return self.chain(statement)
            case ast.Declaration():
                return self.declaration(statement)
            case ast.ElementClass():
                self.elementclass(statement)
            case ast.Define() if not self.recovery.guessing:
                self.directives.define(statement, self.definition)
            case ast.Provide() if not self.recovery.guessing:
                self.directives.provide(statement)
            case ast.Require() if not self.recovery.guessing:
                for library in self.directives.require(statement, self.definition):
                    self.recovery.look_ahead(library.statements)
                    self.statements(library.statements)
            case ast.Broken():
                with self.recovery.within(guessing=True):
                    self.statement(statement.guess)
        return NONE

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
            hint = self.class_hint(written.name)
            if not self.recovery.may_exist(written.name, hint):
                self.diagnostics.error(written.place, f"unknown element class '{written.name}'", hint or OTHER_CLASSES)
        elif old := self.definition.names.get(written.name):
            self.diagnostics.error(
                written.place,
                f"element '{written.name}' used as a class",
                f"'{written.name}' is declared at {old.place}",
            )
        return self.classes.assume(written.name)

    def class_hint(self, name: str) -> str | None:
        if name in self.defining:
            return f"a compound element can't contain itself: within its own definition '{name}' means an earlier class of that name"
        return None if self.recovery.similar.is_spent else self.recovery.similar.hint(name, self.classes.names())

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
        inner.input.incomplete = inner.output.incomplete = self.recovery.guessing  # its end may be misplaced
        outside, self.declarations = self.declarations, Declarations(body.statements)
        with self.recovery.definition():
            self.statements(body.statements)
            self.mark_incomplete()
        self.declarations = outside
        self.classes.leave()
        check_pseudo(inner.connections, inner.input, inner.output, f"'{inner.printable}'", place, self.diagnostics)
        inner.name_anonymous()
        self.definition = outer
        return inner

    # Elements.

    def declaration(self, statement: ast.Declaration) -> Ends:
        found = [self.classes.find(name.name) for name in statement.names]
        class_ = self.class_(statement.class_)
        made = [self.declare(name.name, name.place, class_, statement.config, clash) for name, clash in zip(statement.names, found)]
        for node in made:
            node.incomplete |= self.recovery.guessing
        return (made[0], made[0]) if len(made) == 1 else NONE

    def declare(
        self,
        name: str,
        place: Place,
        class_: Class,
        config: ast.Config | None,
        clash: Class | None,
    ) -> Node:
        """Make the element `name`; `clash` is a class of that name, which is a mistake."""
        assumed = self.classes.known is None
        if clash is None and assumed and class_ == Primitive(name):
            clash = class_
        if self.recovery.guessing:
            self.recovery.guessed.add(name)
        if (config and config.guessed) or (self.recovery.guessing and not config):
            class_ = Unknown(_name(class_))
        if clash is not None:
            if not isinstance(clash, Unknown) and not self.recovery.guessing:
                used_before = assumed and isinstance(clash, Primitive) and clash is not class_
                hint = f"declare '{name}' before its first use" if used_before else None
                self.diagnostics.error(
                    place,
                    f"class '{name}' used as element name",
                    hint or "give the element another name",
                )
                self.recovery.misnamed.add(name)
            return self.definition.add_anonymous(name, Unknown(name), config, place)
        if old := self.definition.names.get(name):
            self.redeclare(old, name, place, class_)
            return self.definition.add_anonymous(name, Unknown(_name(class_)), config, place)
        if any(part.isdigit() for part in name.split("/")):
            self.diagnostics.error(place, f"element name '{name}' has all-digit component", "begin it with a letter")
        return self.definition.add(name, class_, config, place)

    def redeclare(self, old: Node, name: str, place: Place, class_: Class) -> None:
        """Report a second declaration; if the classes differ, nobody knows which one other statements mean."""
        if not self.recovery.guessing and name not in self.recovery.guessed:
            where = "" if isinstance(old.class_, Tunnel) else f"'{name}' is declared at {old.place}"
            message = f"redeclaration of element '{name}'"
            said = (Diagnostic(place, message), Diagnostic(old.place, f"element '{name}' previously declared here"))
            self.diagnostics.error(place, message, where or None, said if where else ())
            self.recovery.missing.twice.add(name)
        if isinstance(old.class_, Tunnel):
            old.incomplete = True
        elif old.class_ != class_:
            old.class_ = Unknown(_name(old.class_))

    def use(self, use: ast.Use, class_: Class | None) -> Node:
        if (use.config and use.config.guessed) or (not use.config and (self.recovery.guessing or use.name in self.recovery.misnamed)):
            if node := self.definition.names.get(use.name):
                return node
            class_ = Unknown(use.name)
        if class_ is not None:
            return self.definition.add_anonymous(use.name, class_, use.config, use.place)
        if node := self.definition.names.get(use.name):
            if use.config is not None and not self.recovery.guessing:
                self.diagnostics.error(
                    use.config.place,
                    f"configuration string of element '{use.name}' belongs to its declaration",
                    f"'{use.name}' is declared at {node.place}",
                    "configuration string ignored on element reference",
                )
            return node
        if self.classes.known is not None:
            hint = self.element_hint(use)
            if not self.recovery.may_exist(use.name, hint) and not self.listed:
                declared = f"an element is declared as '{use.name} :: Class(arguments)'; arguments stand in parentheses"
                self.diagnostics.error(use.place, f"undeclared element '{use.name}'", hint or declared)
                self.listed = self.listing
            self.recovery.missing.used.add(use.name)
            self.recovery.lost.add(use.name)
        class_ = self.classes.assume(use.name)
        return self.definition.add_anonymous(use.name, class_, use.config, use.place)

    def element_hint(self, use: ast.Use) -> str | None:
        if use.name in self.defining:
            return self.class_hint(use.name)
        if use.name in ("input", "output"):
            return f"'{use.name}' exists only inside of '{{ }}' and '( )'"
        if use.name.isdigit():
            return f"arguments stand in parentheses: '({use.name})'"
        if place := self.declarations.places.get(use.name):
            return f"it is declared only later, at {place}; declare elements before their use"
        if self.recovery.similar.is_spent:
            return None
        return self.recovery.similar.hint(use.name, self.classes.names() | set(self.definition.names))

    def mark_incomplete(self) -> None:
        """Mark the elements that undeclared names may have meant: the names' connections may be theirs."""
        names = self.definition.names
        for name in self.recovery.meant(names):
            names[name].incomplete = True

    def group(self, group: ast.Group) -> Node:
        """Look up an element group: its statements become part of the definition, inside a tunnel."""
        definition = self.definition
        outside = definition.add_anonymous("", TUNNEL, None, group.place)
        tunnel = GroupTunnel(outside, *(
            definition.add_anonymous("", TUNNEL, None, group.place) for _ in range(2)
        ))  # fmt: skip
        definition.groups[outside] = tunnel
        saved = {k: definition.names.get(k) for k in ("input", "output")}
        definition.names.update(input=tunnel.input, output=tunnel.output)
        begin = len(definition.connections)
        with self.recovery.within(guessing=False) as guessing:
            tunnel.input.incomplete = tunnel.output.incomplete = guessing
            self.statements(group.statements)
        check_pseudo(definition.connections[begin:], tunnel.input, tunnel.output, "element group", group.place, self.diagnostics)
        for name, node in saved.items():
            if node:
                definition.names[name] = node
            else:
                del definition.names[name]
        return outside

    # Connections.

    def chain(self, chain: ast.Chain) -> Ends:
        hops = []
        # In a list of names, such as `a, b` without `:: Class`, one unknown name is reported.
        self.listing, self.listed = len(chain.hops) == 1, False
        for number, hop in enumerate(chain.hops):
            hops.append(self.hop(hop, first=number == 0))
            if self.recovery.guessing:
                for _, node in hops[-1]:
                    node.incomplete = True
            elif number:
                self.connect(hops[-2], hops[-1], chain.arrows[number - 1])
        if len(hops) == 1 and not self.recovery.guessing:
            self.check_effect(hops[0])
        first, last = hops[0], hops[-1]
        return (first[0][1] if len(first) == 1 else None, last[0][1] if len(last) == 1 else None)

    def connect(self, before: list[tuple[ast.Item, Node]], after: list[tuple[ast.Item, Node]], arrow: ast.Arrow) -> None:
        """Connect two hops; if they don't fit, nobody knows which ports were meant."""

        def report(message: str, hint: str | None, in_click: str | tuple = ()) -> None:
            self.diagnostics.error(arrow.place, message, hint, in_click)
            for _, node in (*before, *after):
                node.incomplete = True

        outputs = [self.side(item, node, True) for item, node in before]
        inputs = [self.side(item, node, False) for item, node in after]
        for source, target in pair(outputs, inputs, arrow.text, report):
            self.definition.connect(source, target, arrow.place)

    def check_effect(self, items: list[tuple[ast.Item, Node]]) -> None:
        """Warn of a statement that is only a name: most often an arrow is missing."""
        for item, node in items:
            if isinstance(item.element, ast.Use) and node is self.definition.names.get(node.name):
                self.diagnostics.warning(item.place, f"'{node.name}' alone has no effect", "is a '->' missing?")

    def hop(self, hop, first: bool) -> list[tuple[ast.Item, Node]]:
        """The elements of a hop.  All groups and compounds are looked up before any element is made, so that numbers are Click's."""
        pending = []
        for item in hop:
            match item.element:
                case ast.Use(name=name):
                    pending.append(self.classes.find(name))
                case ast.Declare(name=name) as declare:
                    if old := self.definition.names.get(name):
                        old.incomplete = True  # the second declaration's connections may be meant for it
                    pending.append((self.classes.find(name), self.class_(declare.class_)))
                case ast.Anonymous(config=config) as anonymous:
                    class_ = self.compound(anonymous.compound, "")
                    pending.append(Unknown("") if config and config.guessed else class_)
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
        name = "input" if first else "output"
        return self.definition.names.get(name) or Node(name, TUNNEL, None, ast.NOWHERE)

    def side(self, item: ast.Item, node: Node, output: bool) -> Side:
        ports = item.inputs if item.element is None else item.outputs if output else item.inputs
        found = numbers(ports)
        if found is None and isinstance(item.element, ast.Group):
            tunnel = self.definition.groups[node]
            n = tunnel.output.n_inputs if output else tunnel.input.n_outputs
            found = tuple(range(n)) or None
        return Side(node, found, ports is not None and ports.open)


def _name(class_: Class) -> str:
    return getattr(class_, "name", "")

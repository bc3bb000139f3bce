"""From grammar rules to syntax tree nodes (see grammar.lark and ast.py)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from clickbpf.errors import Place
from clickbpf.frozen import frozen
from clickbpf.lang import ast
from clickbpf.lang.tokens import Token


@dataclass(slots=True)
class Damage:
    """The mistake in the statement that is being read (see ast.Broken)."""

    words: set[str] = field(default_factory=set)
    nameless: bool = False
    lacks_element: bool = False


@dataclass(slots=True)
class Block:
    """Statements read so far, newest first, so that appending takes constant time.

    `damage`, which the parser sets, belongs to the next statement.
    """

    before: Block | None = None
    statement: ast.Statement | None = None
    damage: Damage | None = None

    def statements(self) -> tuple[ast.Statement, ...]:
        found = []
        block: Block | None = self
        while block:
            if block.statement:
                found.append(block.statement)
            block = block.before
        return tuple(reversed(found))


@frozen(slots=True)
class Links:
    """The `-> hop -> hop` part of a chain, newest last."""

    before: Links | None
    arrow: ast.Arrow
    hop: tuple[ast.Item, ...]


def _config(token: Token | None) -> ast.Config | None:
    return token.config if token else None


def _nothing(place: Place) -> tuple[ast.Item, ...]:
    """The hop for `input` or `output`."""
    return (ast.Item(None, None, None, place),)


class Build:
    """One method for each rule or alternative; arguments are its symbols in order."""

    def start(self, block):
        return block.statements()

    def empty_block(self):
        return Block()

    def longer_block(self, block, statement):
        if isinstance(statement, ast.Chain | ast.Declaration) and block.statement:
            statement = replace(statement, abuts=True)
        if damage := block.damage:
            place = statement.place if statement else ast.NOWHERE
            statement = ast.Broken(statement, frozenset(damage.words), damage.nameless, damage.lacks_element, place)
        return Block(block, statement)

    def empty_statement(self, _semi):
        return None

    # Statements.

    def elementclass(self, keyword, name, class_):
        return ast.ElementClass(name.value, class_, keyword.place)

    def require(self, keyword, config):
        return ast.Require(config.config, keyword.place)

    def provide(self, keyword, config):
        return ast.Provide(config.config, keyword.place)

    def define(self, keyword, config):
        return ast.Define(config.config, keyword.place)

    def links(self, *parts):
        before = parts[0] if len(parts) == 3 else None
        arrow, hop = parts[-2:]
        return Links(before, ast.Arrow(arrow.value, arrow.place), hop)

    def chain(self, *parts):
        hops: list[tuple[ast.Item, ...]] = []
        arrows: list[ast.Arrow] = []
        for part in parts:
            if isinstance(part, Links):
                _unroll(part, hops, arrows)
            elif isinstance(part, Token):
                arrows.append(ast.Arrow(part.value, part.place))
                if not hops:
                    hops.append(_nothing(part.place))
                hops.append(_nothing(part.place))
            elif part is not None:
                hops.append(part)
        place = min(hops[0][0].place, arrows[0].place) if arrows else hops[0][0].place
        return _as_declaration(hops, arrows, place) or ast.Chain(tuple(hops), tuple(arrows), place)

    def hop(self, *parts):
        return tuple(p for p in parts if isinstance(p, ast.Item))

    def implicit_item(self, ports):
        return ast.Item(ports, None, None, ports.place)

    def item(self, inputs, element, outputs):
        return ast.Item(inputs, element, outputs, inputs.place if inputs else element.place)

    # Elements.

    def use(self, name, config=None):
        return ast.Use(name.value, _config(config), name.place)

    def declare(self, name, _colons, class_, config):
        return ast.Declare(name.value, class_, _config(config), name.place)

    def anonymous(self, compound, config):
        return ast.Anonymous(compound, _config(config), compound.place)

    def group(self, opening, block, _closing):
        return ast.Group(block.statements(), opening.place)

    def ports(self, opening, ranges, _closing):
        return ast.Ports(tuple(ranges), False, opening.place)

    def open_ports(self, opening, *parts):
        ranges = next((tuple(p) for p in parts if isinstance(p, list)), ())
        last = tuple(ast.PortRange(int(p), int(p)) for p in parts if isinstance(p, Token) and p.type == "PORT")
        return ast.Ports(ranges + last, True, opening.place)

    def ranges(self, *parts):
        """Extend one list: a new one for each range would take quadratic time."""
        if len(parts) == 1:
            return list(parts)
        parts[0].append(parts[2])
        return parts[0]

    def range(self, first, _dash, last):
        return ast.PortRange(int(first), int(last if last is not None else first))

    # Classes.

    def class_name(self, name):
        return ast.ClassName(name.value, name.place)

    def compound(self, opening, *parts):
        bodies = tuple(p for p in parts if isinstance(p, ast.Body))
        return ast.Compound(bodies, False, opening.place)

    def extending_compound(self, opening, *parts):
        bodies = tuple(p for p in parts if isinstance(p, ast.Body))
        return ast.Compound(bodies, True, opening.place)

    def plain_body(self, block):
        return ast.Body((), block.statements())

    def body_with_formals(self, *parts):
        formals = tuple(p for p in parts if isinstance(p, ast.Formal))
        return ast.Body(formals, parts[-1].statements())

    def formal(self, keyword, variable):
        place = keyword.place if keyword else variable.place
        return ast.Formal(variable.value, keyword.value if keyword else None, place)


def _unroll(links: Links, hops: list, arrows: list) -> None:
    found = []
    step: Links | None = links
    while step:
        found.append(step)
        step = step.before
    for step in reversed(found):
        if not hops:
            hops.append(_nothing(step.arrow.place))
        hops.append(step.hop)
        arrows.append(step.arrow)


def _as_declaration(hops, arrows, place) -> ast.Declaration | None:
    """`a, b :: Class(config)` alone in a statement declares every name of the list."""
    *names, last = hops[0]
    if arrows or not isinstance(last.element, ast.Declare) or last.inputs or last.outputs:
        return None
    for item in names:
        use = item.element
        if not isinstance(use, ast.Use) or use.config or item.inputs or item.outputs:
            return None
    made = tuple(ast.Name(i.element.name, i.element.place) for i in hops[0])
    return ast.Declaration(made, last.element.class_, last.element.config, place)

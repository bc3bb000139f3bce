"""Finds mistakes that a grammar can't find: ports and arrows that lead nowhere.

A statement with such a mistake becomes `Broken`, just like one with a mistake that the grammar finds.
"""

from collections.abc import Iterable
from dataclasses import replace

from clickbpf.errors import Diagnostics
from clickbpf.lang import ast

MAX_PORT = 0xFFFF  # a typing mistake in a range must not fill the memory


def check(statements: Iterable[ast.Statement], diagnostics: Diagnostics, nested: bool = False) -> tuple[ast.Statement, ...]:
    """The statements, with those that have a mistake as `Broken`; `nested`: `input` and `output` exist here.

    Statements that may be the beginning or the rest of a broken one are broken, too.
    """
    checked: list[ast.Statement] = []
    for statement in _backwards(list(statements)):
        if checked and _goes_on(checked[-1], statement) and not isinstance(statement, ast.Broken):
            statement = ast.Broken(statement, place=statement.place)
        checked.append(_statement(statement, diagnostics, nested))
    return tuple(checked)


def _backwards(statements: list[ast.Statement]) -> list[ast.Statement]:
    """The statements, with those broken that no semicolon separates from a broken one on the same line."""
    for n in range(len(statements) - 1, 0, -1):
        before, here = statements[n - 1 : n + 1]
        abuts = isinstance(here, ast.Broken) and getattr(here.guess, "abuts", False)
        if abuts and _same_line(before, here) and not isinstance(before, ast.Broken):
            statements[n - 1] = ast.Broken(before, place=before.place)
    return statements


def _goes_on(before: ast.Statement, statement: ast.Statement) -> bool:
    """Whether a statement with no semicolon before it may be the rest of a broken one."""
    if not isinstance(before, ast.Broken) or not getattr(statement, "abuts", False):
        return False
    return _same_line(before, statement) or (isinstance(statement, ast.Chain) and statement.hops[0][0].element is None)


def _same_line(a: ast.Statement, b: ast.Statement) -> bool:
    return (a.place.file, a.place.line) == (b.place.file, b.place.line)


def _statement(statement: ast.Statement, diagnostics: Diagnostics, nested: bool) -> ast.Statement:
    match statement:
        case ast.Chain():
            statement = _inside(statement, diagnostics)
            own = Diagnostics()
            _chain(statement, own, nested)
            diagnostics.extend(own)
            if not own.has_errors:
                return statement
            ends = () if nested else (statement.hops[0][0], statement.hops[-1][0])
            lacks_element = any(item.element is None for item in ends)
            return ast.Broken(statement, lacks_element=lacks_element, place=statement.place)
        case ast.Declaration() | ast.ElementClass():
            return replace(statement, class_=_class(statement.class_, diagnostics))
        case ast.Broken(guess=guess) if guess:
            # Its own mistake was reported, but not those of the statements within it.
            checked = _inside(guess, diagnostics) if isinstance(guess, ast.Chain) else _statement(guess, diagnostics, nested)
            return replace(statement, guess=checked)
    return statement


def _class(class_: ast.ClassName | ast.Compound, diagnostics: Diagnostics) -> ast.ClassName | ast.Compound:
    if isinstance(class_, ast.ClassName):
        return class_
    bodies = (replace(body, statements=check(body.statements, diagnostics, nested=True)) for body in class_.bodies)
    return replace(class_, bodies=tuple(bodies))


def _inside(chain: ast.Chain, diagnostics: Diagnostics) -> ast.Chain:
    """The chain, with the statements inside its elements checked."""
    hops = (tuple(replace(item, element=_element(item.element, diagnostics)) for item in hop) for hop in chain.hops)
    return replace(chain, hops=tuple(hops))


def _element(element, diagnostics: Diagnostics):
    match element:
        case ast.Group(statements=inside):
            return replace(element, statements=check(inside, diagnostics, nested=True))
        case ast.Anonymous(compound=compound):
            return replace(element, compound=_class(compound, diagnostics))
        case ast.Declare(class_=class_):
            return replace(element, class_=_class(class_, diagnostics))
    return element


def _chain(chain: ast.Chain, diagnostics: Diagnostics, nested: bool) -> None:
    _ends(chain, diagnostics)
    for number, hop in enumerate(chain.hops):
        for item in hop:
            if item.element is None and chain.arrows:
                _implicit(chain, number, item, diagnostics, nested)
            for ports in (item.inputs, item.outputs):
                _ports(ports, diagnostics)


def _ends(chain: ast.Chain, diagnostics: Diagnostics) -> None:
    for item in chain.hops[0]:
        if item.inputs and item.element is not None:
            diagnostics.error(
                item.inputs.place,
                "input ports ignored at start of chain",
                "nothing leads into them; is a '->' missing before them?",
            )
    for item in chain.hops[-1]:
        ports = item.outputs if chain.arrows or item.element is not None else item.inputs
        if ports:
            diagnostics.error(
                ports.place,
                "output ports ignored at end of chain",
                "nothing follows them; is a '->' missing after them?",
            )


def _implicit(chain: ast.Chain, number: int, item: ast.Item, diagnostics: Diagnostics, nested: bool) -> None:
    last = number == len(chain.hops) - 1
    if number > 0 and not last:
        diagnostics.error(item.place, "implicit ports used in the middle of a chain", "name an element here")
    elif not nested:
        arrow = chain.arrows[-1 if number else 0]
        diagnostics.error(
            item.place,
            f"no element {'after' if number else 'before'} '{arrow.text}'",
            "only inside of '{ }' and '( )' may a connection begin or end with an arrow",
            f"syntax error near '{arrow.text}'",
        )


def _ports(ports: ast.Ports | None, diagnostics: Diagnostics) -> None:
    for r in ports.ranges if ports else ():
        if r.first > r.last:
            diagnostics.error(
                ports.place,
                f"port range {r.first}-{r.last} runs backwards",
                f"write {r.last}-{r.first}, or list the ports one by one",
            )
        elif r.last > MAX_PORT:
            diagnostics.error(ports.place, f"port number {r.last} too large", None)

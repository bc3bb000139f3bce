"""Mistakes that a grammar can't tell: ports and arrows that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.errors import Diagnostics
from clickbpf.lang import ast


def check(
    statements: Iterable[ast.Statement], diagnostics: Diagnostics, nested: bool = False
) -> None:
    """Check statements, and those inside of them; `nested`: `input` and `output` exist here."""
    for statement in statements:
        if isinstance(statement, ast.Chain):
            _chain(statement, diagnostics, nested)
        elif isinstance(statement, ast.Declaration | ast.ElementClass):
            _class(statement.class_, diagnostics)


def _class(class_: ast.ClassName | ast.Compound, diagnostics: Diagnostics) -> None:
    if isinstance(class_, ast.Compound):
        for body in class_.bodies:
            check(body.statements, diagnostics, nested=True)


def _chain(chain: ast.Chain, diagnostics: Diagnostics, nested: bool) -> None:
    _ends(chain, diagnostics)
    for number, hop in enumerate(chain.hops):
        for item in hop:
            match item.element:
                case None if chain.arrows:
                    _implicit(chain, number, item, diagnostics, nested)
                case ast.Group(statements=inside):
                    check(inside, diagnostics, nested=True)
                case ast.Anonymous(compound=compound):
                    _class(compound, diagnostics)
                case ast.Declare(class_=class_):
                    _class(class_, diagnostics)
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
                "nothing follows them; is a '->' missing behind them?",
            )


def _implicit(
    chain: ast.Chain, number: int, item: ast.Item, diagnostics: Diagnostics, nested: bool
) -> None:
    last = number == len(chain.hops) - 1
    if number > 0 and not last:
        diagnostics.error(
            item.place, "implicit ports used in the middle of a chain", "name an element here"
        )
    elif not nested:
        arrow = chain.arrows[-1 if number else 0]
        diagnostics.error(
            item.place,
            f"no element {'behind' if number else 'before'} '{arrow.text}'",
            "only inside of '{ }' and '( )' may a connection begin or end with an arrow",
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


MAX_PORT = 0xFFFF  # a typing mistake in a range must not make a list that fills the memory

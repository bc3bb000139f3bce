"""The declarations of a definition in which names are looked up, and the mistakes with its names."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from clickbpf.errors import Place
from clickbpf.lang import ast


def declarations(statements: Iterable[ast.Statement]) -> Iterator[tuple[str, Place]]:
    """The elements declared in these statements, and in the groups among them."""
    for statement in statements:
        if isinstance(statement, ast.Declaration):
            yield from ((found.name, found.place) for found in statement.names)
        elif isinstance(statement, ast.Chain):
            for item in (item for hop in statement.hops for item in hop):
                match item.element:
                    case ast.Declare(name=name, place=place):
                        yield name, place
                    case ast.Group(statements=inside):
                        yield from declarations(inside)


class Declarations:
    """The declarations in a definition's statements, which are searched on first use."""

    def __init__(self, statements: tuple[ast.Statement, ...] = ()) -> None:
        self.statements = statements

    @cached_property
    def places(self) -> dict[str, Place]:
        """The place of each element's first declaration."""
        return dict(reversed(list(declarations(self.statements))))


class Missing:
    """Names with mistakes in a definition."""

    def __init__(self) -> None:
        self.twice: set[str] = set()  # declared twice: one of the two elements was meant to have another name
        self.used: set[str] = set()  # used, but not declared

"""The surroundings of a name that is looked up: the declarations of its definition, and mistakes in them."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from clickbpf.errors import Place
from clickbpf.lang import ast


def declarations(statements: Iterable[ast.Statement]) -> Iterator[tuple[str, Place]]:
    """The elements declared in these statements and the groups among them."""
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


class Around:
    """The statements of a definition; their declarations are indexed on first use."""

    def __init__(self, statements: tuple[ast.Statement, ...] = ()) -> None:
        self.statements = statements

    @cached_property
    def declared(self) -> dict[str, Place]:
        """The place of each element's first declaration."""
        return dict(reversed(list(declarations(self.statements))))


class Missing:
    """Names with mistakes in a definition."""

    def __init__(self) -> None:
        self.twice: set[str] = set()  # declared twice: one of the two was meant to have another name
        self.used: set[str] = set()  # used, and nothing has them

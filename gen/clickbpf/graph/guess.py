"""Infers from statements with syntax mistakes the names that they mention or may define."""

from collections.abc import Iterable, Iterator

from clickbpf.lang import ast
from clickbpf.lang.config import words


def unclear_names(statements: Iterable[ast.Statement]) -> set[str]:
    """The names of elements, classes and variables that statements with syntax mistakes may define."""
    names = {name for broken in broken_statements(statements) for name in (*broken.words, *mentioned(broken.guess))}
    return names - {"input", "output"}


def count_nameless(statements: Iterable[ast.Statement]) -> int:
    """The number of statements that define a name that can't be inferred."""
    return sum(broken.nameless for broken in broken_statements(statements))


def count_missing_elements(statements: Iterable[ast.Statement]) -> int:
    """The number of statements in which an element is missing."""
    return sum(broken.lacks_element for broken in broken_statements(statements))


def broken_statements(statements: Iterable[ast.Statement]) -> Iterator[ast.Broken]:
    for statement in statements:
        if isinstance(statement, ast.Broken):
            yield statement
            statement = statement.guess
        yield from broken_statements(_inside(statement))


def mentioned(statement: ast.Statement | None) -> Iterator[str]:
    """The names that a statement, or one inside it, declares or uses without arguments."""
    match statement:
        case ast.Declaration(names=names, config=config):
            yield from (name.name for name in names)
            if config and config.guessed:
                yield from words(config.text)
        case ast.ElementClass(name=name):
            yield name
        case ast.Define(config=config):
            yield from words(config.text) or "$"
        case ast.Chain():
            for element in _elements(statement):
                if isinstance(element, ast.Declare) or (isinstance(element, ast.Use) and element.config is None):
                    yield element.name
                if (config := getattr(element, "config", None)) and config.guessed:
                    yield from words(config.text)
    for inner in _inside(statement):
        yield from mentioned(inner.guess if isinstance(inner, ast.Broken) else inner)


def _elements(chain: ast.Chain) -> Iterator:
    return (item.element for hop in chain.hops for item in hop)


def _inside(statement: ast.Statement | None) -> Iterator[ast.Statement]:
    """The statements in a statement's compounds and groups."""
    match statement:
        case ast.Declaration(class_=ast.Compound(bodies=bodies)) | ast.ElementClass(class_=ast.Compound(bodies=bodies)):
            yield from (inner for body in bodies for inner in body.statements)
        case ast.Chain():
            for element in _elements(statement):
                match element:
                    case ast.Group(statements=statements):
                        yield from statements
                    case ast.Anonymous(compound=compound) | ast.Declare(class_=ast.Compound() as compound):
                        yield from (inner for body in compound.bodies for inner in body.statements)

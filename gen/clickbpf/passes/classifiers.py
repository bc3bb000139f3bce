"""Joins consecutive Classifiers into one, which makes each test once.

    c :: Classifier(12/0800, -); c[0] -> d :: Classifier(23/06, 23/11, -);

is `c :: Classifier(12/0800 23/06, 12/0800 23/11, 12/0800, -)`, whose first three outputs are those of d.
"""

from collections.abc import Callable
from dataclasses import replace

from clickbpf.graph.router import Connection, Element, Port, Router
from clickbpf.lang.config import split_args
from clickbpf.passes.shapes import Known
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import Patterns

#: The pattern of packets that no earlier pattern matches.
ALL = "-"
#: The class that takes packets that no pattern matches any more.
DISCARD = "Discard"


def combine_classifiers(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Join all pairs that can be joined; the result has the name of the first."""
    known = Known(router, library)
    joinable = {name for name, element in known.instances.items() if isinstance(element, Patterns) and name not in keep}
    while (at := _between(known, router, joinable)) is not None:
        router = _joined(router, at, known.instances[at.source.element].pattern_of_both)
    return router


def _between(known: Known, router: Router, joinable: set[str]) -> Connection | None:
    """A connection between two classifiers of one class that is the only one to the second."""
    for connection in router.connections:
        first, second = connection.source.element, connection.target.element
        if first == second or not {first, second} <= joinable or known.classes[first] is not known.classes[second]:
            continue
        if len(router.connections_to(second)) == 1 and len(router.connections_from(first, connection.source.port)) == 1:
            return connection
    return None


def _joined(router: Router, at: Connection, both: Callable[[str, str], str]) -> Router:
    """The router with the second classifier's patterns in the first, where it had the pattern that led to the second."""
    first, second = router.element(at.source.element), router.element(at.target.element)
    before, inner = _patterns(first), _patterns(second)
    here, lost = at.source.port, ALL not in inner
    shared = [_both(before[here], pattern, both) for pattern in inner] + ([before[here]] if lost else [])
    patterns = [*before[:here], *shared, *before[here + 1 :]]

    def moved(connection: Connection) -> Connection:
        port = connection.source
        if port.element == second.name:
            return replace(connection, source=Port(first.name, here + port.port))
        if port.element == first.name and port.port > here:
            return replace(connection, source=Port(first.name, port.port + len(shared) - 1))
        return connection

    outputs = [moved(c) for c in (*router.connections_from(first.name), *router.connections_from(second.name)) if c != at]
    router = router.without_connections(*router.connections_from(first.name)).without_elements(second.name)
    router = router.with_element_replaced(first.name, replace(first, config=", ".join(patterns), config_anchors=()))
    if lost:  # packets for which the second classifier had no pattern were dropped there
        discard = Element(f"{second.name}@unmatched", DISCARD, place=second.place)
        router = router.with_elements(discard)
        outputs.append(Connection(Port(first.name, here + len(inner)), Port(discard.name), at.place))
    return router.with_connections(*outputs)


def _patterns(element: Element) -> list[str]:
    return [text for text, _ in split_args(element.config)]


def _both(one: str, other: str, both: Callable[[str, str], str]) -> str:
    if ALL in (one, other):
        return other if one == ALL else one
    return both(one, other)

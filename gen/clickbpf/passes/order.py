"""Connections in the order of the text, for tools whose output people compare with the original.

A `Router` keeps its connections sorted by element. These functions keep them as written, and append what is added.
"""

from collections.abc import Iterable
from dataclasses import replace

from clickbpf.errors import Place
from clickbpf.graph.router import Connection, Router


def as_written(router: Router) -> Router:
    """The same router, its connections in the order of its text. As in the output of Click's tools, those inside compound elements follow
    those around them, and those that lead into or out of one are last."""
    files: dict[str, int] = {}
    scopes: dict[str, int] = {}
    if any(map(_crosses, router.connections)):  # else the text has no compound elements, only names with slashes
        for element in router.elements:
            scopes.setdefault(_scope(element.name), len(scopes))

    def key(connection: Connection) -> tuple[bool, int, int, int, int]:
        place = connection.place or Place("", 0, 0)
        scope = scopes.get(_scope(connection.source.element), 0)
        return _crosses(connection), scope, files.setdefault(place.file, len(files)), place.line, place.column

    return replace(router, connections=tuple(sorted(router.connections, key=key)))


def _crosses(connection: Connection) -> bool:
    """Whether it leads into or out of compound elements."""
    return connection.target_place not in (None, connection.place)


def _scope(name: str) -> str:
    """The compound element that an element is in."""
    return name.rpartition("/")[0]


def replaced(router: Router, old: Connection, new: Iterable[Connection]) -> Router:
    """Replace one connection by others."""
    at = router.connections.index(old)
    connections = (*router.connections[:at], *new, *router.connections[at + 1 :])
    return replace(router, connections=tuple(dict.fromkeys(connections)))


def rewired(router: Router, removed: Iterable[Connection], added: Iterable[Connection]) -> Router:
    """Remove some connections and add others, each once; the rest stays in order."""
    gone = set(removed)
    left = dict.fromkeys(c for c in router.connections if c not in gone)
    return replace(router, connections=tuple(dict.fromkeys((*left, *added))))

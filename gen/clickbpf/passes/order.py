"""Connections in the order of the text, for tools whose output people compare with the original.

A `Router` keeps its connections sorted by element. These functions keep them as written, and append what is added.
"""

from collections.abc import Iterable
from dataclasses import replace

from clickbpf.errors import Place
from clickbpf.graph.router import Connection, Router


def as_written(router: Router) -> Router:
    """The same router, its connections in the order of its text."""
    files: dict[str, int] = {}

    def key(connection: Connection) -> tuple[int, int, int]:
        place = connection.place or Place("", 0, 0)
        return files.setdefault(place.file, len(files)), place.line, place.column

    return replace(router, connections=tuple(sorted(router.connections, key=key)))


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

"""Canonical text of flat routers.

A router elaborated from `unparse_router(router)` equals `router`, except for places and archive members.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from clickbpf.graph.router import Connection, Port, Router
from clickbpf.lang.config import quote

#: The text before the second and later arrows of a chain.
NEXT = "\n    "


def flat_configuration(router: Router) -> str:
    """The router as Click's handler `flatconfig` shows it: its connections are in the order of the elements that they lead to."""

    def key(connection: Connection) -> list[tuple[int, int]]:
        return [(router.position[port.element], port.port) for port in (connection.target, connection.source)]

    return unparse_router(replace(router, connections=tuple(sorted(router.connections, key=key))))


def unparse_router(router: Router) -> str:
    """The router in Click's layout: requirements, all elements, and the connections in chains as long as possible."""
    required = ", ".join(f"{kind}{_argument(value)}" for kind, value in router.requirements)
    head = [f"require({required});"] if required else []
    head += [f"provide({_argument(name).strip()});" for name in router.provisions]
    elements = [f"{e.name} :: {e.class_name}{f'({e.config})' if e.config else ''};" for e in router.elements]
    parts = (head, elements, [_strung(chain) for chain in _chains(router)])
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


def _argument(value: str) -> str:
    if not value:
        return ""
    plain = re.fullmatch(r"[A-Za-z0-9_.@+-]+(/[A-Za-z0-9_.@+-]+)*", value)
    return f" {value if plain else quote(value)}"


def _chains(router: Router) -> Iterable[list[Connection]]:
    """Chains of connections that go on through elements from input 0 to output 0; each connection is in one chain.

    Chains begin with connections that no chain leads to; the rest are cycles, which begin anywhere.
    """
    left = dict.fromkeys(router.connections)
    from_output: dict[Port, list[Connection]] = {}
    for connection in left:
        from_output.setdefault(connection.source, []).append(connection)
    following = {c: _after(c, from_output.get(c.target, ())) for c in left}
    continuing = set(following.values())
    for connection in (*(c for c in left if c not in continuing), *left):
        chain: list[Connection] = []
        while connection in left:
            del left[connection]
            chain.append(connection)
            connection = following[connection]
        if chain:
            yield chain


def _after(connection: Connection, further: Iterable[Connection]) -> Connection | None:
    """The connection that a chain goes on with, of those from output 0 of the element that this one enters: the first to an input 0, if
    there is one."""
    others = [c for c in further if c != connection] if connection.target.port == 0 else []
    return next((c for c in others if c.target.port == 0), others[-1] if others else None)


def _strung(chain: list[Connection]) -> str:
    text = chain[0].source.element
    for number, connection in enumerate(chain):
        out = f" [{connection.source.port}]" if connection.source.port else ""
        into = f"[{connection.target.port}] " if connection.target.port else ""
        text += f"{out}{' ' if number == 0 else NEXT}-> {into}{connection.target.element}"
    return f"{text};"

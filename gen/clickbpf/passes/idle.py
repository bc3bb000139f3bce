"""Connects ports whose connections a pass has removed to an Idle, since ports have to be connected."""

from collections.abc import Iterable

from clickbpf.graph.ports import End, ends
from clickbpf.graph.router import Connection, Element, Port, Router

IDLE = "Idle"


def with_idle(before: Router, router: Router) -> Router:
    """Connect all ports that lost their last connection to one Idle."""
    had, have = _ports(before.connections), _ports(router.connections)
    bare = [end for end in had if end not in have and end.port.element in router]
    if not bare:
        return router
    idle = Element(_unused_name(before, IDLE), IDLE)
    inputs = [end.port for end in bare if not end.is_output]
    added = [Connection(Port(idle.name, number), port) for number, port in enumerate(inputs)]
    added += [Connection(end.port, Port(idle.name)) for end in bare if end.is_output]
    return router.with_elements(idle).with_connections(*added)


def _ports(connections: Iterable[Connection]) -> dict[End, None]:
    return dict.fromkeys(end for connection in connections for end in ends(connection))


def _unused_name(router: Router, class_name: str) -> str:
    number = len(router.elements) + 1
    while f"{class_name}@{number}" in router:
        number += 1
    return f"{class_name}@{number}"

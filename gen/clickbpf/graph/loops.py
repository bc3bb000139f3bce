"""Loops that no packet leaves: a warning where a packet comes back as it was, and so takes the same way again.

A loop through an element that changes packets, such as DecIPTTL on the way of an ICMP error, ends at some time. Neither is anything said
where two elements choose: perhaps the packets that one sends round are not those that the other does.
"""

from collections.abc import Mapping

from clickbpf.errors import NOTHING, Diagnostics
from clickbpf.graph.router import Connection, Router
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import FRAMES
from clickbpf.vocabulary.traits import CHOOSES, LOOKS, ONLY_COPIES


def check_loops(router: Router, instances: Mapping[str, Element], found: Diagnostics) -> None:
    """Warn of such loops of push connections in a router without mistakes."""
    onward: dict[str, list[Connection]] = {}
    for connection in router.connections:
        if _leaves_alone(instances[connection.source.element]) and _leaves_alone(instances[connection.target.element]):
            onward.setdefault(connection.source.element, []).append(connection)
    told: set[str] = set()
    for name, connections in onward.items():
        for first in connections if name not in told else ():
            way = _way_back(first, onward, instances)
            if way:
                told.update(way)
                message = f"packets that leave '{name}' here come back unchanged, and go round for ever"
                found.warning(first.place, message, "lead them elsewhere", (NOTHING,))


def _leaves_alone(element: Element) -> bool:
    """Whether a packet that comes twice takes the same way twice, with nothing changed."""
    looks = bool(element.traits & (LOOKS | ONLY_COPIES))
    return looks and not element.annotations_written() and element.gives(FRAMES) == FRAMES


def _way_back(first: Connection, onward: Mapping[str, list[Connection]], instances: Mapping[str, Element]) -> set[str]:
    """The elements that lie between a connection's target and its source, none of which chooses; none if there is no such way."""
    passed, pending = set(), [first.target.element]
    while pending:
        name = pending.pop()
        if name == first.source.element:
            return passed | {name}
        if name not in passed and CHOOSES not in instances[name].traits:
            passed.add(name)
            pending += [connection.target.element for connection in onward.get(name, ())]
    return set()

"""Warns of loops that no packet leaves: those that a packet goes round unchanged, and so goes round again.

A loop through an element that changes packets ends sometime: that of an ICMP error, for example, at DecIPTTL. Loops with two elements that
choose an output are not reported either: no packet may take both of the outputs that make the loop.
"""

from collections.abc import Mapping

from clickbpf.errors import NOTHING, Diagnostics
from clickbpf.graph.router import Connection, Router
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.forms import FRAMES
from clickbpf.vocabulary.traits import CHOOSES, LOOKS, ONLY_COPIES


def check_loops(router: Router, instances: Mapping[str, Element], found: Diagnostics) -> None:
    """Warn of such loops of push connections; the router must have no mistakes."""
    onward: dict[str, list[Connection]] = {}
    for connection in router.connections:
        if _changes_nothing(instances[connection.source.element]) and _changes_nothing(instances[connection.target.element]):
            onward.setdefault(connection.source.element, []).append(connection)
    reported: set[str] = set()
    for name, connections in onward.items():
        for first in connections if name not in reported else ():
            loop = _loop(first, onward, instances)
            if loop:
                reported.update(loop)
                message = f"packets that leave '{name}' here come back unchanged, and loop forever"
                found.warning(first.place, message, "connect this output to something else", (NOTHING,))


def _changes_nothing(element: Element) -> bool:
    """Whether the element changes nothing about packets, and treats the same packet alike each time."""
    looks = bool(element.traits & (LOOKS | ONLY_COPIES))
    return looks and not element.annotations_written() and element.gives(FRAMES) == FRAMES


def _loop(first: Connection, onward: Mapping[str, list[Connection]], instances: Mapping[str, Element]) -> set[str]:
    """The elements on a loop that begins with a connection, and on which only the connection's source chooses; empty if there is none."""
    passed, pending = set(), [first.target.element]
    while pending:
        name = pending.pop()
        if name == first.source.element:
            return passed | {name}
        if name not in passed and CHOOSES not in instances[name].traits:
            passed.add(name)
            pending += [connection.target.element for connection in onward.get(name, ())]
    return set()

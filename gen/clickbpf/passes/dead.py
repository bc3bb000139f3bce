"""Removes elements that no packet can reach and, as click-undead does, those that lead nowhere."""

from collections.abc import Callable

from clickbpf.graph.ports import End, ends
from clickbpf.graph.router import Connection, Router
from clickbpf.passes.idle import with_idle
from clickbpf.passes.shapes import Known
from clickbpf.vocabulary.element import Element as Class
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import DeviceMaker


def remove_dead(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Keep only elements on a path from a source to a sink, and elements without ports.

    Ports that lose all their connections are connected to an Idle. Sources that lead to no sink are removed even if they have side
    effects, such as receiving from a device.
    """
    known = Known(router, library)
    met, leading = known.reached(known.beginnings(True)), known.reached(known.beginnings(False))
    return _leave(known, keep, met & leading, lambda c: ends(c)[0] in met and ends(c)[1] in leading)


def remove_unreachable(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Remove elements that no packet ever reaches, unless their mere presence has an effect."""
    known = Known(router, library)
    met = known.reached(known.beginnings(True))
    acting = {name for name, class_ in known.classes.items() if _acts_by_itself(class_)}
    return _leave(known, keep | acting, met, lambda c: ends(c)[0] in met)


def _acts_by_itself(class_: type[Class]) -> bool:
    """Whether an element of the class does something before or after all packets: opens a file, makes a device."""
    changed = (class_.started is not Class.started, class_.finished is not Class.finished, issubclass(class_, DeviceMaker))
    return any(changed) or "init" in class_.entries


def _leave(known: Known, keep: frozenset[str], live: set[End], is_live: Callable[[Connection], bool]) -> Router:
    router = known.router
    lively = {end.port.element for end in live} | keep | {name for name, shape in known.shapes.items() if shape.counts == (0, 0)}
    left = router.without_elements(*(e.name for e in router.elements if e.name not in lively))
    left = left.without_connections(*(c for c in left.connections if not is_live(c)))
    return with_idle(router, left)

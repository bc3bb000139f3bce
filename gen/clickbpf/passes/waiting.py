"""Removes elements that only matter while packets wait: schedulers after Queues, and Queues that something empties at once.

As long as router and devices keep up with the traffic, the same packets are forwarded without these elements. When they don't, the
scheduler would have decided whose packets are lost, and the router is no longer the same.
"""

from collections.abc import Iterator
from dataclasses import replace

from clickbpf.graph.ports import End
from clickbpf.graph.router import Connection, Port, Router
from clickbpf.graph.watching import stores
from clickbpf.passes.shapes import Known
from clickbpf.vocabulary.element import USER, Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import Watcher
from clickbpf.vocabulary.traits import ALWAYS_TAKES, ELIDABLE, ONLY_DECIDES


def merge_queues(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Replace a scheduler and the Queues that it chooses from by one Queue, if only plain elements are between the scheduler and a device,
    or an element that takes all packets at once. Schedulers in a row become one Queue, too. The Queue has the capacity of all of them
    together, so that it loses no packet for which there was room before."""
    known = Known(router, library)
    merged: dict[str, tuple[Element, ...]] = {}
    schedulers = [name for name, element in known.instances.items() if ONLY_DECIDES in element.traits and name not in keep]
    while True:
        mergeable = (name for name in schedulers if name in router and _is_merge(known, router, name, keep))
        name = next(mergeable, None)
        if name is None:
            return router
        router = _merge(known, router, name, merged)


def remove_drained(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Remove Queues before elements that take all packets at once, and these elements if they only push packets on. A Queue in a loop
    stays, because it ends the recursion of pushes; so does one before an element in `keep`, which a handler may stop."""
    known = Known(router, library)
    for name in known.instances:
        taker = _taker(known, router, name) if _is_plain_queue(known, router, name, keep) else None
        if taker is None or taker in keep:
            continue
        pushes = router.n_outputs(taker) > 0
        if pushes and name in _pushed_to(known, router, taker):
            continue
        router = router.bypass(name)
        router = router.bypass(taker) if pushes else router
    return router


def _is_plain_queue(known: Known, router: Router, name: str, keep: frozenset[str]) -> bool:
    """Whether it is a Queue that one element pulls from, after devices only, and with no element before it that may watch it (RED). Other
    sources make packets as fast as they can, and stop while a Queue is full."""
    element = known.instances.get(name)
    if element is None or not (ELIDABLE in element.traits and stores(element)) or name in keep or name not in router:
        return False
    if len(router.connections_from(name)) != 1:
        return False
    before = {end.port.element for end in known.reached([End(Port(name), False)])}
    if any(isinstance(known.instances[other], Watcher) for other in before & known.instances.keys()):
        return False
    sources = (known.instances.get(other) for other in before if not known.router.connections_to(other))
    return all(source is not None and (source.receives_from() is not None or "task" not in source.entries) for source in sources)


def _line(known: Known, router: Router, name: str) -> Iterator[tuple[str, Element]]:
    """The elements after one, along first outputs, up to the first that is unknown or leads to several."""
    seen = {name}
    while len(following := router.connections_from(name, 0)) == 1:
        name = following[0].target.element
        element = known.instances.get(name)
        if element is None or name in seen:
            return
        seen.add(name)
        yield name, element


def _is_merge(known: Known, router: Router, name: str, keep: frozenset[str]) -> bool:
    queues = {c.source.element for c in router.connections_to(name)}
    if not queues or not all(_is_plain_queue(known, router, queue, keep) for queue in queues):
        return False
    for following, element in _line(known, router, name):
        if element.sends_to() is not None:
            return True
        if ALWAYS_TAKES in element.traits:
            return following not in keep
        if ONLY_DECIDES not in element.traits and not _is_plain(element):
            return False
    return False


def _is_plain(element: Element) -> bool:
    """Whether packets can be pulled through it in the kernel path, and it decides nothing about other packets."""
    return element.ninputs == 1 and "pull" not in element.entries and (element.runs != USER or element.shown() is not None)


def _merge(known: Known, router: Router, scheduler: str, merged: dict[str, tuple[Element, ...]]) -> Router:
    """Merge the Queues before a scheduler into the first, which takes the scheduler's output. `merged` lists the original Queues of those
    that are merged already."""
    first, *others = sorted(router.connections_to(scheduler), key=lambda c: c.target.port)
    queues = [each.source.element for each in (first, *others)]
    one, *more = merged[queues[0]] = tuple(each for queue in queues for each in merged.get(queue, (known.instances[queue],)))
    queue = replace(router.element(queues[0]), config=one.joined(more), config_anchors=())
    router = router.with_element_replaced(queue.name, queue)
    moved = [
        Connection(pushed.source, Port(first.source.element), pushed.place)
        for other in others
        for pushed in router.connections_to(other.source.element)
    ]
    left = router.without_elements(*(c.source.element for c in others)).with_connections(*moved)
    return left.bypass(scheduler, first.target.port)


def _taker(known: Known, router: Router, queue: str) -> str | None:
    """The element that takes a Queue's packets at once, if only plain elements that can also push are between them."""
    for name, element in _line(known, router, queue):
        if ALWAYS_TAKES in element.traits:
            return name
        if not _is_plain(element) or "l" in element.processing:
            return None
    return None


def _pushed_to(known: Known, router: Router, name: str) -> set[str]:
    """The elements that packets from this one reach, up to Queues and other storage."""
    found: set[str] = set()
    pending = [name]
    while pending:
        here = pending.pop()
        element = known.instances.get(here)
        if element is not None and stores(element) and here != name:
            continue
        new = {c.target.element for c in router.connections_from(here)} - found
        found |= new
        pending += new
    return found

"""Removes ports of Tees and schedulers that lead nowhere or that nothing comes from, and the elements that have one port left."""

from dataclasses import replace

from clickbpf.graph.router import Connection, Port, Router
from clickbpf.passes.shapes import Known
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.traits import NONE, SPARE_INPUTS, SPARE_OUTPUTS


def prune_branches(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Remove the ports that are connected to Idle elements only."""
    known = Known(router, library)
    for element in router.elements:
        name = element.name
        if name in keep or name not in router:
            continue
        traits = known.classes[name].traits if name in known.classes else NONE
        if traits & (SPARE_INPUTS | SPARE_OUTPUTS):
            router = _prune(known, router, name, is_output=SPARE_OUTPUTS in traits)
    return _without_unused_idles(known, router)


def _prune(known: Known, router: Router, name: str, is_output: bool) -> Router:
    """Keep the connected ports of one side, renumbered; an element with only one of them is removed."""
    at = router.connections_from(name) if is_output else router.connections_to(name)
    alive = [c for c in at if not known.is_idle((c.target if is_output else c.source).element)]
    numbers = {old: new for new, old in enumerate(sorted({(c.source if is_output else c.target).port for c in alive}))}
    if not numbers:
        return router
    moved = [_moved(connection, is_output, numbers) for connection in alive]
    router = router.without_connections(*at).with_connections(*moved)
    if len(numbers) == 1:
        return router.bypass(name)
    element = router.element(name)
    if is_output and (element.config or len(moved) < len(at)):
        element = replace(element, config=str(len(numbers)), config_anchors=())
    return router.with_element_replaced(name, element)


def _moved(connection: Connection, is_output: bool, numbers: dict[int, int]) -> Connection:
    end = connection.source if is_output else connection.target
    moved = Port(end.element, numbers[end.port])
    return replace(connection, **{"source" if is_output else "target": moved})


def _without_unused_idles(known: Known, router: Router) -> Router:
    """Remove Idles that lost all their connections; in a checked router each had some."""
    idle = (element.name for element in router.elements if known.is_idle(element.name))
    unused = [name for name in idle if not router.connections_from(name) and not router.connections_to(name)]
    return router.without_elements(*unused)

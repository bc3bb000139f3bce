"""The storages whose lengths elements such as RED ask for (flow-based router context of the Click paper)."""

from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.codes import PULL
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import Storage, Watcher


def watched(checked: CheckedRouter, element: str) -> list[str]:
    """The storages whose lengths the element asks for (`Watcher.watches`): those it names, or else the nearest, after its
    output 0 if packets are pushed out there, before it if they are pulled."""
    watcher = checked.instances[element]
    if not isinstance(watcher, Watcher):
        return []
    if named := list(watcher.watches()):
        return named
    outputs = checked.processing[element].outputs
    pulled = bool(outputs) and outputs[0] == PULL
    found = checked.flow.upstream(element, stores) if pulled else checked.flow.downstream(element, stores, 0)
    return sorted((e.name for e in found), key=checked.router.position.__getitem__)


def stores(element: Element) -> bool:
    """Whether packets are stored in it."""
    return isinstance(element, Storage)


def named_storages(element: Element) -> tuple[str, ...]:
    """The storages that it names because it asks for their lengths."""
    return tuple(element.watches()) if isinstance(element, Watcher) else ()

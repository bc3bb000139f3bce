"""The queues and other storages whose lengths elements such as RED ask for (the Click paper's flow-based router context)."""

from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.codes import PULL
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import Storage, Watcher


def watched(checked: CheckedRouter, element: str) -> list[str]:
    """The storages whose lengths the element asks for (`Watcher.watches`): those that it names, or else the nearest ones, downstream of
    output 0 if packets are pushed out there, and upstream if they are pulled."""
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
    """Whether the element stores packets."""
    return isinstance(element, Storage)


def named_storages(element: Element) -> tuple[str, ...]:
    """The storages that the element names, to ask for their lengths."""
    return tuple(element.watches()) if isinstance(element, Watcher) else ()

"""The storages whose lengths elements such as RED ask for (flow-based router context of the Click paper)."""

from clickbpf.graph.check import CheckedRouter
from clickbpf.graph.codes import PULL
from clickbpf.vocabulary.element import Element


def watched(checked: CheckedRouter, element: str) -> list[str]:
    """The storages whose lengths the element asks for (`Element.watches`): those it names, or else the nearest, after its
    output 0 if packets are pushed out there, before it if they are pulled."""
    named = checked.instances[element].watches()
    if named is None:
        return []
    if named:
        return list(named)
    outputs = checked.processing[element].outputs
    pulled = bool(outputs) and outputs[0] == PULL
    found = checked.flow.upstream(element, stores) if pulled else checked.flow.downstream(element, stores, 0)
    return sorted((e.name for e in found), key=checked.router.position.__getitem__)


def stores(element: Element) -> bool:
    """Whether packets are stored in it: its class then declares in `storage` what counts them."""
    return element.storage is not None

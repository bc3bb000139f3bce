"""Removes elements that treat all packets alike: Nulls, and switches whose position never changes."""

from clickbpf.graph.router import Router
from clickbpf.passes.idle import with_idle
from clickbpf.passes.shapes import Known
from clickbpf.vocabulary.element import AGNOSTIC, Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.roles import FixedPath
from clickbpf.vocabulary.traits import DOES_NOTHING


def remove_nulls(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Remove elements that only pass packets on."""
    known = Known(router, library)
    for element in router.elements:
        class_ = known.classes.get(element.name)
        if class_ and _is_null(class_) and element.name not in keep:
            router = router.bypass(element.name)
    return router


def _is_null(class_: type[Element]) -> bool:
    """Whether elements of the class do nothing. One that is push or pull doesn't count: it may decide its neighbours' processing."""
    return DOES_NOTHING in class_.traits and class_.processing == AGNOSTIC


def remove_static_switches(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """Remove switches that pass all packets from one input to one output; where a switch passes none, Idles replace it."""
    known = Known(router, library)
    left = router
    for name, element in known.instances.items():
        if isinstance(element, FixedPath) and name not in keep:
            left = left.bypass(name, *element.only_way())
    return with_idle(router, left)

"""Elements that always do the same are taken out: Nulls, and switches whose position never changes."""

from __future__ import annotations

from clickbpf.graph.router import Router
from clickbpf.library import Library
from clickbpf.passes.idle import with_idle
from clickbpf.passes.shapes import Known


def remove_nulls(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """What comes in goes out."""
    known = Known(router, library)
    for element in router.elements:
        if known.is_a(element.name, "Null") and element.name not in keep:
            router = router.bypass(element.name)
    return router


def remove_static_switches(router: Router, library: Library, keep: frozenset[str] = frozenset()) -> Router:
    """A StaticSwitch leads to one output, or nowhere; a StaticPullSwitch pulls from one input, or from none."""
    known = Known(router, library)
    left = router
    for name, element in known.instances.items():
        if name in keep:
            continue
        if known.is_a(name, "StaticSwitch"):
            left = left.bypass(name, output_port=element.cfg.output)
        elif known.is_a(name, "StaticPullSwitch"):
            left = left.bypass(name, input_port=element.cfg.input)
    return with_idle(router, left)

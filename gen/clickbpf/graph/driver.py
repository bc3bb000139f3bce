"""Checks that at most one element decides when the driver stops."""

from collections.abc import Mapping

from clickbpf.errors import Diagnostics
from clickbpf.graph.router import Router
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.traits import MANAGES_DRIVER


def check_driver(router: Router, instances: Mapping[str, Element], found: Diagnostics) -> None:
    """Report each element after the first that would decide when the driver stops."""
    first, *others = [name for name, element in instances.items() if MANAGES_DRIVER in element.traits] or [""]
    for name in others:
        element = router.element(name)
        said = f"While configuring '{name} :: {element.class_name}':\n  router has more than one driver script"
        found.error(element.place, f"'{first}' and '{name}' can't both decide when the driver stops", in_click=said)

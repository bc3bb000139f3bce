"""Whether each device has one way into the router."""

from __future__ import annotations

from collections.abc import Mapping

from clickbpf.errors import Diagnostics
from clickbpf.graph.router import Router
from clickbpf.vocabulary.element import Element


def check_devices(router: Router, instances: Mapping[str, Element], found: Diagnostics) -> None:
    """Two elements that receive from one device are a mistake: a packet has one way in."""
    taken: dict[str, str] = {}
    for declaration in sorted(router.elements, key=lambda element: (element.place is None, element.place)):
        instance = instances.get(declaration.name)
        device = instance.receives_from() if instance else None
        if device in taken:
            found.error(
                declaration.place,
                f"'{taken[device]}' receives from {device} already",
                f"use one element for {device}, with a Tee after it",
            )
        elif device is not None:
            taken[device] = declaration.name

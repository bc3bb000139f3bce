"""Checks that at most one element receives from each device."""

from collections.abc import Mapping

from clickbpf.errors import Diagnostics
from clickbpf.graph.router import Router
from clickbpf.objects.outbound import is_outbound, wire
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.roles import DeviceMaker


def check_devices(router: Router, instances: Mapping[str, Element], found: Diagnostics) -> None:
    """Report elements that receive from a device when another one does. FromOutbound is one of them on a device that the router creates:
    what Linux sends by such a device goes to the element that creates it."""
    taken: dict[str, str] = {}
    made = {instance.makes().device: name for name, instance in instances.items() if isinstance(instance, DeviceMaker)}
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
            if is_outbound(device) and wire(device) in made:
                message = f"'{made[wire(device)]}' makes {wire(device)}, and gets what Linux sends there"
                found.error(declaration.place, message, "leave the element out")

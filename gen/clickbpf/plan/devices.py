"""The devices of a router and their numbers: `pkt_device(p)` is an index into this list on both executors."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.objects.made import MadeDevice
from clickbpf.vocabulary.element import Element


def device_names(instances: Iterable[Element]) -> tuple[str, ...]:
    """Names of all devices, first those whose wire the router uses; both groups in the order of the elements."""
    elements = list(instances)
    wired = (device for e in elements for device in (e.receives_from(), e.sends_to()))
    known_to_linux = (e.host_device() for e in elements)
    return tuple(dict.fromkeys(device for device in (*wired, *known_to_linux) if device is not None))


def own_device(element: Element) -> str | None:
    """The device that belongs to an element: self_device() of its C file."""
    return element.sends_to() or element.receives_from() or element.host_device()


def made_devices(instances: Iterable[Element]) -> tuple[MadeDevice, ...]:
    """The devices that the router makes, in the order of the elements."""
    return tuple(made for element in instances if (made := element.makes()) is not None)

"""The devices of a router and their numbers: `pkt_device(p)` is an index into this list on both executors."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.objects.made import MadeDevice
from clickbpf.vocabulary.element import Element


def device_names(instances: Iterable[Element]) -> tuple[str, ...]:
    """Names of all devices; those on whose wire the router works first, each in the order of the elements."""
    elements = list(instances)
    wired = (device for e in elements for device in (e.receives_from(), e.sends_to()))
    known_to_linux = (e.host_device() for e in elements)
    return tuple(dict.fromkeys(device for device in (*wired, *known_to_linux) if device is not None))


def own_device(element: Element) -> str | None:
    """The one device that an element is about: its C file's self_device()."""
    return element.sends_to() or element.receives_from() or element.host_device()


def made_devices(instances: Iterable[Element]) -> tuple[MadeDevice, ...]:
    """The devices that the router makes, in the order of the elements."""
    return tuple(made for element in instances if (made := element.makes()) is not None)

"""The devices of a router and their numbers: `pkt_device(p)` is an index into this list on both executors.

What a class says about devices (`Element.receives_from`, `sends_to`) is about the wire. Classes that meet this machine's
Linux stack may have two methods more: `receives_from_host()`, the device whose packets, sent by Linux, enter the router
here, and `host_device()`, the device that Linux is to believe a packet came from where that is not known otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clickbpf.element import Element

WIRE, HOST = "wire", "host"
SIDES = (WIRE, HOST)


def device_names(instances: Iterable[Element]) -> list[str]:
    """Names of all devices; those on whose wire the router works first, each in the order of the elements."""
    elements = list(instances)
    wired = (device for e in elements for device in (e.receives_from(), e.sends_to()))
    other = (device for e in elements for device in (_host(e, "receives_from_host"), _host(e, "host_device")))
    return list(dict.fromkeys(device for device in (*wired, *other) if device is not None))


def own_device(element: Element) -> str | None:
    """The one device that an element is about: its C file's self_device()."""
    return element.sends_to() or element.receives_from() or _host(element, "host_device") or _host(element, "receives_from_host")


def reads(element: Element) -> Iterator[tuple[str, str]]:
    """The sides of devices, (device, side), whose packets enter the router here."""
    for device, side in ((element.receives_from(), WIRE), (_host(element, "receives_from_host"), HOST)):
        if device is not None:
            yield device, side


def _host(element: Element, method: str) -> str | None:
    return getattr(element, method)() if hasattr(element, method) else None

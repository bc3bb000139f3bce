"""The devices of a router and their numbers: `pkt_device(p)` is an index into this list on both executors."""

from collections.abc import Iterable

from clickbpf.errors import Diagnostics
from clickbpf.graph.check import CheckedRouter
from clickbpf.objects.made import MadeDevice
from clickbpf.vocabulary.element import USER, Element
from clickbpf.vocabulary.roles import DeviceMaker, HostEnd


def device_names(instances: Iterable[Element]) -> tuple[str, ...]:
    """Names of all devices: first those that the router receives from or sends by, then those of HostEnds; each in the elements' order."""
    elements = list(instances)
    wired = (device for e in elements for device in (e.receives_from(), e.sends_to()))
    known_to_linux = (e.host_device() for e in elements if isinstance(e, HostEnd))
    return tuple(dict.fromkeys(device for device in (*wired, *known_to_linux) if device is not None))


def own_device(element: Element) -> str | None:
    """The device of an element, which self_device() returns in its C file."""
    return element.sends_to() or element.receives_from() or (element.host_device() if isinstance(element, HostEnd) else None)


def made_devices(instances: Iterable[Element]) -> tuple[MadeDevice, ...]:
    """The devices that the router creates, in the order of the elements."""
    return tuple(element.makes() for element in instances if isinstance(element, DeviceMaker))


def check_entrances(checked: CheckedRouter, hook: str) -> None:
    """ClickError for elements whose packets this hook doesn't see (FromOutbound)."""
    problems = Diagnostics()
    for name, element in checked.instances.items():
        if element.receives_from() is not None and hook not in element.runs:
            others = " or ".join(f"--hook {each}" for each in sorted(element.runs - USER))
            problems.error(
                checked.router.element(name).place,
                f"'{name}' takes packets of {element.receives_from()}, which {hook.upper()} doesn't see",
                f"{others} runs the router there",
            )
    problems.raise_if_errors()

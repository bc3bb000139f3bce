"""C names of elements and devices: a unique identifier for each one of a router."""

from collections.abc import Iterable, Iterator

from clickbpf.objects.ctext import c_identifier


def c_names(elements: Iterable[str]) -> dict[str, str]:
    """Map element names to C identifiers: `a/b` is e_a__b, `Class@3` is e_Class_3.

    An element's functions and variables are named by its identifier, "_" and a word. So no identifier may begin with another one and
    "_"; one that would gets a number after its e: beside `x`, `x_push` is e2_x_push.
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    before: set[str] = set()
    for element in elements:
        base, number = c_identifier(element.replace("/", "__")), 1
        name = f"e_{base}"
        while name in taken or name in before or not taken.isdisjoint(_beginnings(name)):
            number += 1
            name = f"e{number}_{base}"
        taken.add(name)
        before.update(_beginnings(name))
        names[element] = name
    return names


def device_names(devices: Iterable[str]) -> dict[str, str]:
    """Identifiers' ends for devices: `eth0.1` is eth0_1; if both exist, `eth0_1` is eth0_1__2."""
    names: dict[str, str] = {}
    for device in devices:
        name, number = c_identifier(device), 1
        while name in names.values():
            number += 1
            name = f"{c_identifier(device)}__{number}"
        names[device] = name
    return names


def _beginnings(name: str) -> Iterator[str]:
    """The texts before each underscore."""
    return (name[:at] for at, character in enumerate(name) if character == "_")

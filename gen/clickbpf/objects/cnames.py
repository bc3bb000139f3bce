"""C names of elements: one unambiguous identifier for each element of a router."""

from __future__ import annotations

from collections.abc import Iterable

from clickbpf.objects.ctext import c_identifier


def c_names(elements: Iterable[str]) -> dict[str, str]:
    """Map element names to C identifiers: `a/b` is a__b, `Class@3` is Class_3, and a number is added where two collide."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for element in elements:
        base = "e_" + c_identifier(element.replace("/", "__"))
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        names[element] = name
    return names

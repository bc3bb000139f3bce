"""Profiles: how many packets took which way through the elements of a running router.

A profile is a JSON document, {"elements": {"filter": {"deny src net 10.0.0.0/8": 12, "allow all": 3456}}}. Ways have the names that the
configuration has for them, not numbers, so a profile also fits a configuration that has changed since: what isn't there any more
doesn't matter, and what is new has no packets. Whatever it says, it changes the time that packets take and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from clickbpf.errors import ClickError, Diagnostic
from clickbpf.frozen import frozen
from clickbpf.graph.check import CheckedRouter
from clickbpf.nearest import did_you_mean

#: What is there in a profile for people to see.
FORM = '{"elements": {"ELEMENT": {"RULE": PACKETS, ...}, ...}}'
#: Packets that a profile can have: more than any counter reaches.
MOST = 1 << 64


@frozen
class Profile:
    """Packets by element and way."""

    elements: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @classmethod
    def counted(cls, ways: Iterable[tuple[str, str]], packets: Iterable[int]) -> Profile:
        """From the packets of each way (element, name)."""
        found: dict[str, dict[str, int]] = {}
        for (element, way), number in zip(ways, packets, strict=True):
            of = found.setdefault(element, {})
            of[way] = of.get(way, 0) + number
        return cls(found)

    @classmethod
    def from_json(cls, text: str | bytes, name: str) -> Profile:
        """Read a document; ClickError with all mistakes if it isn't one. `name` is shown as its file."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ClickError(f"{name} is not a profile: {error}", hint="'clickbpf profile ROUTER' prints one") from None
        elements = document.get("elements") if isinstance(document, dict) else None
        mistakes = list(_mistakes(elements))
        if mistakes:
            raise ClickError([Diagnostic(None, f"{name} is not a profile: {each}", f"its form is {FORM}") for each in mistakes])
        return cls(elements)

    def to_json(self) -> str:
        return json.dumps({"elements": self.elements}, indent=2) + "\n"

    def packets(self, element: str, ways: Sequence[str]) -> list[int]:
        """The packets of each way of an element. Of several with one name, the first has them all."""
        left = dict(self.elements.get(element, {}))
        return [left.pop(way, 0) for way in ways]

    def unused(self, checked: CheckedRouter) -> Iterator[Diagnostic]:
        """Warnings about what the profile has packets of and the router hasn't, or can't make use of."""
        for name, counted in self.elements.items():
            element = checked.instances.get(name)
            ways = element.ways if element else None
            if element is None:
                yield _unused(f"there is no element '{name}'", did_you_mean(name, checked.instances))
            elif ways is None:
                yield _unused(f"'{name}' asks its questions in an order that no profile changes", None)
            elif missing := counted.keys() - set(ways.names):
                yield _unused(f"'{name}' has no rule '{min(missing)}'{_others(len(missing) - 1)}", did_you_mean(min(missing), ways.names))


def _unused(message: str, hint: str | None) -> Diagnostic:
    return Diagnostic(None, f"the profile is of another configuration: {message}", hint, "warning")


def _others(number: int) -> str:
    return f", nor {number} others that it has packets of" if number else ""


def _mistakes(elements: Any) -> Iterator[str]:
    if not isinstance(elements, dict):
        yield 'it has no "elements"'
        return
    for name, ways in elements.items():
        if not isinstance(ways, dict):
            yield f"what it has of '{name}' are not packets by rules"
            continue
        for way, number in ways.items():
            if type(number) is not int or not 0 <= number < MOST:
                yield f"'{name}', '{way}': {json.dumps(number)} is not a number of packets"


@frozen
class Profiled:
    """A router for the kernel path: its elements are those that count, or that favour the packets of a profile."""

    checked: CheckedRouter
    #: For each element that favours packets: how many there are, and the ways that it tries first.
    favoured: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    #: The ways that are counted (element, name), by their numbers.
    counted: tuple[tuple[str, str], ...] = ()


def profiled(checked: CheckedRouter, profile: Profile | None, counting: bool) -> Profiled:
    """The router that does the same as `checked`."""
    if counting:
        return _counting(checked)
    return Profiled(checked) if profile is None else _favouring(checked, profile)


def _counting(checked: CheckedRouter) -> Profiled:
    instances, counted = dict(checked.instances), []
    for name, element in checked.instances.items():
        if element.ways is not None:
            instances[name] = element.ways.counting(len(counted))
            counted += [(name, way) for way in element.ways.names]
    return Profiled(replace(checked, instances=instances), counted=tuple(counted))


def _favouring(checked: CheckedRouter, profile: Profile) -> Profiled:
    instances, favoured = dict(checked.instances), {}
    for name, element in checked.instances.items():
        ways = element.ways if name in profile.elements else None
        packets = profile.packets(name, ways.names) if ways else []
        if any(packets):
            instances[name], first = ways.favouring(packets)
            favoured[name] = sum(packets), tuple(ways.names[number] for number in first)
    return Profiled(replace(checked, instances=instances), favoured)

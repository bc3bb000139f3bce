"""Comparing two executors: their packets, these packets' annotations, and the state at the end."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from clickbpf.testing.diff import difference
from clickbpf.testing.executors.base import Executor
from clickbpf.testing.record import Carried, Output, split_record


def compare_outputs(ours: Sequence[Output], theirs: Sequence[Output], titles: tuple[str, str]) -> str | None:
    """None if both have the same packets, in the same order for each device; otherwise the first difference."""
    for device in dict.fromkeys(output.device for output in (*ours, *theirs)):
        pairs = zip_longest(*([o for o in side if o.device == device] for side in (ours, theirs)))
        for one, other in pairs:
            differs = _compare(one, other, titles)
            if differs:
                return f"on {device}: {differs}"
    return None


def _compare(one: Output | None, other: Output | None, titles: tuple[str, str]) -> str | None:
    if one is None or other is None:
        sender, sent = (titles[1], other) if one is None else (titles[0], one)
        return f"only {sender} sends {split_record(sent.data)[1].hex(' ')}"
    if one == other:
        return None
    carried, data = split_record(one.data)
    other_carried, other_data = split_record(other.data)
    return _compare_carried(carried, other_carried, titles) or difference(data, other_data, (), titles)


def _compare_carried(one: Carried | None, other: Carried | None, titles: tuple[str, str]) -> str | None:
    if one == other:
        return None
    if one is None or other is None:
        return "only one of them recorded what the packet carries"
    rows = [
        f"  {name}: {_plain(ours)} {titles[0]}, {_plain(theirs)} {titles[1]}"
        for name, ours in vars(one).items()
        if ours != (theirs := getattr(other, name))
    ]
    return "what the packet carries differs\n" + "\n".join(rows)


def _plain(value: Any) -> str:
    return value.hex(" ", 4) if isinstance(value, bytes) else str(value)


def compare_state(one: Executor, other: Executor, handlers: Iterable[str]) -> str | None:
    """None if these read handlers, and all drop counters, have the same values on both; otherwise the differences."""
    titles = one.name, other.name
    ours = {handler: one.read(handler) for handler in handlers}
    theirs = {handler: other.read(handler) for handler in ours}
    ours |= {f"{element} drops ({reason})": count for (element, reason), count in one.drops().items()}
    theirs |= {f"{element} drops ({reason})": count for (element, reason), count in other.drops().items()}
    differences = [
        f"  {name}: {ours.get(name, 0)!r} {titles[0]}, {theirs.get(name, 0)!r} {titles[1]}"
        for name in {**ours, **theirs}
        if ours.get(name, 0) != theirs.get(name, 0)
    ]
    return "the state that the packets leave differs\n" + "\n".join(differences) if differences else None

"""Taking a router out again, whole or what is left of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.load import places, service
from clickbpf.load.attach import detach_all
from clickbpf.load.causes import explained
from clickbpf.load.places import Pins, RunFolder
from clickbpf.load.veth import Change


def unload(name: str, say: Callable[[str], None] = print) -> None:
    """Detach, end the runtime, put offloads back, remove pins and folder; each step whatever becomes of the others."""
    with places.locked(), ExitStack() as steps:
        pins, folder = Pins.of(name), RunFolder.of(name)
        if not pins.exists() and not folder.exists():
            raise ClickError(f"no router named {name} is loaded", hint=_others())
        for suffix in ("", places.NEW, places.OLD):
            remove(Pins.of(name, suffix), RunFolder.of(name, suffix), steps)
        say(f"{name} unloaded")


def remove(pins: Pins, folder: RunFolder, steps: ExitStack) -> None:
    """Queue up the steps that remove one router, so that they run when `steps` is closed: detach first, then the rest."""
    if folder.exists():
        steps.callback(folder.remove)
        for change in changes(folder):
            steps.callback(_undo, change)
        steps.callback(service.stop, folder)
    if pins.exists():
        steps.callback(_unpin, pins)
        steps.callback(detach_all, pins)


def changes(folder: RunFolder) -> list[Change]:
    """What was switched at far ends of veth pairs for this router."""
    return [Change.from_plain(change) for change in record(folder).get("changes", ())]


def record(folder: RunFolder) -> dict[str, Any]:
    """What `load` wrote down; nothing if it did not come to that."""
    try:
        return json.loads(folder.record.read_text())
    except FileNotFoundError:
        return {}


def _undo(change: Change) -> None:
    with explained(f"{change.feature} of {change.peer} can't be put back"):
        change.undo()


def _unpin(pins: Pins) -> None:
    with explained(f"{pins.root} can't be removed"):
        pins.remove()


def _others() -> str:
    names = list(places.loaded())
    return f"loaded are {', '.join(names)}" if names else "none is loaded"

"""A router's record, which `load` writes for later commands."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder
from clickbpf.load.kernel import namespaces

Result = TypeVar("Result")


def record(folder: RunFolder) -> dict[str, Any]:
    """The record of a router; empty if loading ended before it was written."""
    return json.loads(private.read(folder.record) or "{}")


def loaded_here() -> Iterator[tuple[str, dict[str, Any]]]:
    """The routers that were loaded in this network namespace, with their records."""
    here = namespaces.here()
    return ((name, done) for name in places.loaded() if (done := record(RunFolder.of(name))).get("namespace") == here)


def whole_record(name: str) -> dict[str, Any]:
    """The record of a loaded router. ClickError if loading hasn't finished."""
    found = record(RunFolder.of(name))
    if not found.get("mode"):
        raise ClickError(f"{name} is only partly loaded", hint=f"clickbpf unload {name}, then load")
    return found


def inside_home(done: dict[str, Any], function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function where attachments can be found: members of dispatchers in the network namespace of the devices, if it still exists,
    other attachments anywhere."""
    found, home = home_of(done) if done.get("priority") is not None else (False, None)
    return namespaces.call_inside(home if found else None, function, *arguments)


def home_of(done: dict[str, Any]) -> tuple[bool, Path | None]:
    """The network namespace of a record: whether it still exists, and a path to enter it, None if it is this one."""
    identity = str(done.get("namespace", ""))
    if identity == namespaces.here():
        return True, None
    path = namespaces.locate(identity)
    return path is not None, path

"""What `load` wrote down about a router, for the commands that come after it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from clickbpf.load.files.places import RunFolder
from clickbpf.load.kernel import namespaces


def record(folder: RunFolder) -> dict[str, Any]:
    """The record of a router; nothing if loading did not come to that."""
    try:
        return json.loads(folder.record.read_text())
    except FileNotFoundError:
        return {}


def home_of(done: dict[str, Any]) -> tuple[bool, Path | None]:
    """The network namespace of a record: whether it is there still, and a path to enter it, None if that is this one."""
    inode = done.get("namespace", 0)
    if inode == namespaces.here():
        return True, None
    path = namespaces.locate(inode)
    return path is not None, path

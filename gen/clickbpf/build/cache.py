"""Compiled files, kept under a name that is the hash of everything they are made from."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from clickbpf.errors import ClickError


def cache_directory() -> Path:
    """$CLICKBPF_CACHE, or `clickbpf` in the user's cache directory (XDG base directories)."""
    own = os.environ.get("CLICKBPF_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "clickbpf"


def content_hash(parts: Iterable[str | bytes]) -> str:
    """A name for what depends on `parts` alone; parts are kept apart by their lengths."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()[:32]


def cached(name: str, make: Callable[[Path], None]) -> Path:
    """The cached file `name`; if there is none, `make(path)` writes it first.

    `make` gets the path of a new file in the cache; only a complete file gets its name, so two that compile the same at
    the same time do no harm. Raises ClickError if the cache can't be written.
    """
    directory = cache_directory()
    path = directory / name
    if path.exists():
        return path
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory, prefix=".new-") as new:
            made = Path(new) / name
            made.parent.mkdir(parents=True, exist_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            make(made)
            os.replace(made, path)
    except OSError as error:
        raise ClickError(
            f"cannot write the cache of compiled files in {directory}: {error.strerror}",
            hint="set CLICKBPF_CACHE to a directory that can be written",
        ) from None
    return path

"""Compiled files, kept under a name that is the hash of everything they are made from.

Files that were not used for the longest time go when there are too many bytes; whoever has one open keeps it.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import ClickError

#: Bytes that are too many, and seconds between looks at how many there are.
TOO_MANY, LOOK = 1 << 30, 3600
#: Its time is that of the last look.
_LOOKED = ".looked"


def cache_directory() -> Path:
    """$CLICKBPF_CACHE, or `clickbpf` in the user's cache directory (XDG base directories); always a whole
    path, which no program takes for an option."""
    own = os.environ.get("CLICKBPF_CACHE")
    if own:
        return Path(own).absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).absolute() if base else Path.home() / ".cache") / "clickbpf"


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
        with suppress(OSError):  # somebody else's cache, perhaps
            os.utime(path)
        return path
    try:
        directory.mkdir(parents=True, exist_ok=True)
        _forget_oldest(directory)
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


def _forget_oldest(directory: Path) -> None:
    """Now and then: if there are too many bytes, remove what was not used for the longest time, until half of that is left."""
    looked = directory / _LOOKED
    if looked.exists() and time.time() - looked.stat().st_mtime < LOOK:
        return
    looked.touch()
    files = sorted(_files(directory))
    total = sum(size for _, size, _ in files)
    if total <= TOO_MANY:
        return
    for _, size, path in files:
        if total <= TOO_MANY // 2:
            break
        total -= size
        path.unlink(missing_ok=True)


def _files(directory: Path) -> Iterator[tuple[float, int, Path]]:
    """(time of last use, size, path) of the files; others may be removing them as well."""
    for path in directory.iterdir():
        with suppress(FileNotFoundError):
            status = path.stat()
            if stat.S_ISREG(status.st_mode):
                yield status.st_mtime, status.st_size, path

"""The files that a C text includes: their hash names the compiled file before it is compiled, and some belong to units, which have to be
linked to it.

A *unit* is a C file with a header of the same name beside it, and no Python file of that name (which would make it a class's C
file). A unit is compiled once, however many files include its header.
"""

import os
import re
import stat
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from clickbpf.cache import content_hash

_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]+)"([^"\n]+)"', re.MULTILINE)


def content_of(text: str, folders: Sequence[Path], beside: Path | None = None) -> str:
    """A hash of the text with all that it includes in quotes, which is looked for beside the including file and in the folders.

    Of the system's headers only the names are hashed.
    """
    return _hash(_INCLUDE.split(text), _names(folders), beside and str(beside), {})


def units_of(text: str, folders: Sequence[Path], library: Path) -> tuple[str, list[Path]]:
    """The C files of all units whose headers are included by the text or by these units, in alphabetical order; before them, a hash of the
    text and all of these. Headers are found as by content_of(); both branches of an #if count. Files in the folder `library` are left
    out, because they are compiled already."""
    seen: dict[str, str] = {}
    units: list[str] = []
    names, compiled = _names(folders), os.path.join(library, "")
    contents = [_hash(_INCLUDE.split(text), names, None, seen)]
    while found := [u for header in seen if (u := _unit(header)) and u not in units and not u.startswith(compiled)]:
        units += found
        contents += [_hash(_INCLUDE.split(Path(unit).read_text()), names, os.path.dirname(unit), seen) for unit in found]
    return content_hash(contents), sorted(map(Path, units))


def _names(folders: Sequence[Path]) -> tuple[str, ...]:
    return tuple(map(str, folders))


def _unit(header: str) -> str | None:
    """The C file of the unit that the header belongs to, or None."""
    stem, ending = os.path.splitext(header)
    return stem + ".c" if ending == ".h" and os.path.isfile(stem + ".c") and not os.path.exists(stem + ".py") else None


def _hash(parts: Sequence[str], folders: Sequence[str], beside: str | None, seen: dict[str, str]) -> str:
    """The hash of a text split by _INCLUDE; `seen` has the hashes of the headers so far, by path."""
    bases = folders if beside is None else (beside, *folders)
    hashed = list(parts)
    for place in range(2, len(parts), 3):
        found = next(filter(None, (_read_where(os.path.join(base, parts[place])) for base in bases)), None)
        if found is None:
            hashed[place] = f'"{parts[place]}"'
            continue
        path, own_parts = found
        if path not in seen:
            seen[path] = os.path.basename(path)  # in case the file includes itself
            seen[path] = _hash(own_parts, folders, os.path.dirname(path), seen)
        hashed[place] = seen[path]
    return content_hash(("".join(hashed),))


def _read_where(name: str) -> tuple[str, Sequence[str]] | None:
    """A file's path without symbolic links, and its text split by _INCLUDE; None if there is no such file."""
    try:
        status = os.stat(name)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return _read(name, (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=4096)
def _read(name: str, _version: tuple[int, ...]) -> tuple[str, Sequence[str]]:
    """The same of an existing file, remembered by its version, because routers include the same headers."""
    return os.path.realpath(name), _INCLUDE.split(Path(name).read_text())

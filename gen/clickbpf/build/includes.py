"""What a C text includes, wherever those files are: this gives the compiled file its name before it is compiled, and the units
that have to be linked to it.

A *unit* is a C file with a header of the same name beside it, and no Python file of that name (which would make it a class's C
file). What the header declares is compiled once, whichever files include it.
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
    """A hash of the text and of all that it includes in quotes, found beside the including file or in one of the folders.

    The system's own headers count by their names alone.
    """
    return _hash(_INCLUDE.split(text), _names(folders), beside and str(beside), {})


def units_of(text: str, folders: Sequence[Path], library: Path) -> tuple[str, list[Path]]:
    """The C files of the units whose headers the text, or one of these units, includes, in alphabetic order; and a hash of the text and
    all of them. Headers are found as content_of() finds them. Both branches of an #if count. Files in the folder `library` are
    compiled already, and left out."""
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
    """The C file of the unit that the header belongs to; None if it is no unit's."""
    stem, ending = os.path.splitext(header)
    return stem + ".c" if ending == ".h" and os.path.isfile(stem + ".c") and not os.path.exists(stem + ".py") else None


def _hash(parts: Sequence[str], folders: Sequence[str], beside: str | None, seen: dict[str, str]) -> str:
    """The hash of a text that is split by _INCLUDE; `seen` has the hashes of the headers met so far, by their paths."""
    bases = folders if beside is None else (beside, *folders)
    hashed = list(parts)
    for place in range(2, len(parts), 3):
        found = next(filter(None, (_read_where(os.path.join(base, parts[place])) for base in bases)), None)
        if found is None:
            hashed[place] = f'"{parts[place]}"'
            continue
        path, own_parts = found
        if path not in seen:
            seen[path] = os.path.basename(path)  # a file that includes itself
            seen[path] = _hash(own_parts, folders, os.path.dirname(path), seen)
        hashed[place] = seen[path]
    return content_hash(("".join(hashed),))


def _read_where(name: str) -> tuple[str, Sequence[str]] | None:
    """A file's path without symbolic links and its text split by _INCLUDE; None where no file is."""
    try:
        status = os.stat(name)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return _read(name, (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns))


@lru_cache(maxsize=4096)
def _read(name: str, _version: tuple[int, ...]) -> tuple[str, Sequence[str]]:
    """The same of a file that is there; most headers are those of the router before."""
    return os.path.realpath(name), _INCLUDE.split(Path(name).read_text())

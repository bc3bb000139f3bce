"""What a C text includes, wherever those files are: this gives the compiled file its name before it is compiled, and the units
that have to be linked to it.

A *unit* is a C file with a header of the same name beside it, and no Python file of that name (which would make it a class's C
file). What the header declares is compiled once, whichever files include it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from clickbpf.cache import content_hash

_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]+)"([^"\n]+)"', re.MULTILINE)


def content_of(text: str, folders: Sequence[Path], beside: Path | None = None) -> str:
    """A hash of the text and of all that it includes in quotes, found beside the including file or in one of the folders.

    The system's own headers count by their names alone.
    """
    return _hash(text, folders, beside, {})


def units_of(text: str, folders: Sequence[Path], library: Path) -> tuple[str, list[Path]]:
    """The C files of the units whose headers the text, or one of these units, includes, in alphabetic order; and a hash of the text and
    all of them. Headers are found as content_of() finds them. Both branches of an #if count. Files in the folder `library` are
    compiled already, and left out."""
    seen: dict[Path, str] = {}
    units: list[Path] = []
    contents = [_hash(text, folders, None, seen)]
    while found := [u for header in seen if (u := _unit(header)) and u not in units and not u.is_relative_to(library)]:
        units += found
        contents += [_hash(unit.read_text(), folders, unit.parent, seen) for unit in found]
    return content_hash(contents), sorted(units)


def _unit(header: Path) -> Path | None:
    """The C file of the unit that the header belongs to; None if it is no unit's."""
    source = header.with_suffix(".c")
    return source if header.suffix == ".h" and source.is_file() and not header.with_suffix(".py").exists() else None


def _hash(text: str, folders: Sequence[Path], beside: Path | None, seen: dict[Path, str]) -> str:
    def included(match: re.Match[str]) -> str:
        bases = folders if beside is None else (beside, *folders)
        found = next((name for base in bases if os.path.isfile(name := os.path.join(base, match[2]))), None)
        if found is None:
            return match[0]
        path = Path(os.path.realpath(found))
        if path not in seen:
            seen[path] = path.name  # a file that includes itself
            seen[path] = _hash(path.read_text(), folders, path.parent, seen)
        return match[1] + seen[path]

    return content_hash((_INCLUDE.sub(included, text),))

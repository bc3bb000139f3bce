"""What a C text is made of, wherever the files are that it includes: a name for the compiled file before it is compiled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from clickbpf.build.cache import content_hash

_INCLUDE = re.compile(r'^([ \t]*#[ \t]*include[ \t]+)"([^"\n]+)"', re.MULTILINE)


def content_of(text: str, folders: Sequence[Path], beside: Path | None = None) -> str:
    """A hash of the text and of all that it includes in quotes, found beside the including file or in one of the folders.

    The system's own headers count by their names alone.
    """
    return _hash(text, folders, beside, {})


def _hash(text: str, folders: Sequence[Path], beside: Path | None, seen: dict[Path, str]) -> str:
    def included(match: re.Match[str]) -> str:
        found = next((path for base in (beside, *folders) if base is not None and (path := base / match[2]).is_file()), None)
        if found is None:
            return match[0]
        path = found.resolve()
        if path not in seen:
            seen[path] = path.name  # a file that includes itself
            seen[path] = _hash(path.read_text(), folders, path.parent, seen)
        return match[1] + seen[path]

    return content_hash((_INCLUDE.sub(included, text),))

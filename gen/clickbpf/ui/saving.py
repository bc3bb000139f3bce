"""Saving texts from the page, only into files named on the command line."""

import os
import re
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.files import places
from clickbpf.rewriting import rewrite


def save(path: Path, text: str, version: str) -> str:
    """Replace a file's content by a text; returns the file's new version. ClickError if the file no longer has the given version or can't
    be written. The file is replaced atomically, and keeps its owner, mode and line ends."""

    def change(content: bytes, status: os.stat_result) -> bytes:
        if places.version(status) != version:
            raise ClickError(f"{path} has been changed meanwhile", hint="copy your text, and load the page again")
        return _with_ends_of(content.decode("utf-8", "surrogateescape"), text).encode("utf-8", "surrogateescape")

    return places.version(rewrite(path, change))


def _with_ends_of(before: str, text: str) -> str:
    """A text with the line ends of the previous one, since browsers' text fields end all lines with LF. Unchanged lines at the beginning
    and the end keep their line ends; the others get that of the first line."""
    old, new = _lines(before), _lines(text)
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at][0] != new[at][0]), most)
    last = next((at for at in range(most - first) if old[-1 - at][0] != new[-1 - at][0]), most - first)
    ends = [end for _, end in (*old[:first], *[old[0]] * (len(new) - first - last), *old[len(old) - last :])]
    return "".join(line + (end and (kept or old[0][1] or end)) for (line, end), kept in zip(new, ends, strict=True))


def _lines(text: str) -> list[tuple[str, str]]:
    """Each line with its line end; the last line has none."""
    parts = re.split(r"(\r\n|\r|\n)", text)
    return list(zip(parts[::2], [*parts[1::2], ""], strict=True))

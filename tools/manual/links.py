"""Links between files of the tree, which are right where a file is read by itself, as links between pages of the manual."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from .pages import FOLDERS, ROOT

#: A Markdown link or picture: text, target. Neither has brackets of its kind within.
LINK = re.compile(r"(!?\[(?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*\]\()([^)\s]+)(\))")
CODE = re.compile(r"(```+|~~~+)")


@dataclass(frozen=True)
class Link:
    """A link as it is written in a file, and where it leads: a path from the tree's root, and an anchor or ''."""

    line: int
    target: str
    path: str
    anchor: str


def prose(text: str) -> Iterator[tuple[int, str, bool]]:
    """The lines with their numbers, and whether each is prose and not code."""
    fence, before = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = CODE.match(line.lstrip())
        if mark and not fence:
            fence = mark[1]
            yield number, line, False
        elif fence:
            yield number, line, False
            if line.strip() == fence:
                fence = ""
        else:
            indented = line.startswith("    ") and not before.lstrip().startswith(("- ", "* ")) and not before.startswith("  ")
            yield number, line, not (indented and (not before or before.startswith("    ")))
        before = line


def links(text: str, file: str) -> Iterator[Link]:
    """The links of a file to files of the tree, itself included."""
    for number, line, is_prose in prose(text):
        for found in LINK.finditer(re.sub(r"`[^`]*`", "``", line)) if is_prose else ():
            if not re.match(r"[a-z]+:", found[2]):
                yield Link(number, found[2], *resolve(found[2], file))


def resolve(target: str, file: str) -> tuple[str, str]:
    """The file that a link in another file leads to, and its anchor."""
    path, _, anchor = target.partition("#")
    return (os.path.normpath(PurePosixPath(file).parent / path) if path else file), anchor


def relinked(text: str, file: str, page: str, place: Callable[[str], str | None]) -> str:
    """A file's text as that of a page: `place` gives the page, or other file of the manual, that a file of the tree is shown by.

    A link to what the manual doesn't have becomes its own text.
    """

    def replace(found: re.Match) -> str:
        if re.match(r"[a-z]+:", found[2]):
            return found[0]
        path, anchor = resolve(found[2], file)
        shown = place(path)
        if shown is None:
            return found[1].removeprefix("[").removesuffix("](")
        where = os.path.relpath(shown, PurePosixPath(page).parent) if path != file else ("" if anchor else PurePosixPath(page).name)
        return f"{found[1]}{where}{'#' + anchor if anchor else ''})"

    return "\n".join(LINK.sub(replace, line) if is_prose else line for _, line, is_prose in prose(text))


def standing(path: str, pages: dict[str, str]) -> str | None:
    """The page of a file that people write, or the list of a folder."""
    return pages.get(path) or FOLDERS.get(path.rstrip("/"))


def exists(path: str) -> bool:
    return (ROOT / path).exists()

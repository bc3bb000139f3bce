"""The routers of configs/: each with its drawing, where its elements run, and its text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from clickbpf.compile import Compilation, check_file
from clickbpf.draw.layout import lay_out
from clickbpf.draw.picture import picture
from clickbpf.draw.svg import svg
from clickbpf.vocabulary.library import Library

from .pages import ROOT, fenced

FOLDERS = ("configs", "configs/papers")


def routers() -> Iterator[tuple[str, str]]:
    """Pages and drawings, with their texts."""
    library = Library.standard()
    for path in files():
        page = pages()[path.relative_to(ROOT).as_posix()]
        drawn = picture(Compilation(check_file(path, library)).plan, "")
        yield page.removesuffix(".md") + ".svg", svg(drawn, lay_out(drawn))
        yield page, f"# {path.name}\n\n![The graph of {path.name}]({path.stem}.svg)\n\n{fenced(path.read_text(), 'click')}"


def files() -> list[Path]:
    """The routers. What is in other folders are parts of them."""
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.click"))


def pages() -> dict[str, str]:
    """File -> page: configs/papers/two-t1.click -> configs/papers/two-t1.md"""
    found = (path.relative_to(ROOT).as_posix() for path in files())
    return {file: file.removesuffix(".click") + ".md" for file in found}


def with_pictures(cookbook: str) -> str:
    """The page of all of them with each one's drawing under its heading; it leads to the router's page."""
    heading = re.compile(r"^## \[([\w.-]+)\]\((\S+)\.md\)\n", re.MULTILINE)
    return heading.sub(lambda found: f"{found[0]}\n[![The graph of {found[1]}]({found[2]}.svg)]({found[2]}.md)\n", cookbook)

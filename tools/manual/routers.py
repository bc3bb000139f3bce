"""The routers of configs/: each with its drawing, where its elements run, and its text."""

import re
from collections.abc import Iterator
from pathlib import Path

from clickbpf.compile import Compilation, check_file, check_text
from clickbpf.draw.layout import lay_out
from clickbpf.draw.picture import picture
from clickbpf.draw.svg import svg
from clickbpf.graph.checked import CheckedRouter
from clickbpf.vocabulary.library import Library

from .pages import ROOT, fenced

FOLDERS = ("configs", "configs/papers")


def routers() -> Iterator[tuple[str, str]]:
    """Pages and drawings, with their texts."""
    library = Library.standard()
    for path in files():
        page = pages()[path.relative_to(ROOT).as_posix()]
        yield page.removesuffix(".md") + ".svg", drawing(check_file(path, library))
        yield page, f"# {path.name}\n\n![The graph of {path.name}]({path.stem}.svg)\n\n{fenced(path.read_text(), 'click')}"


def drawing(router: CheckedRouter) -> str:
    """SVG."""
    drawn = picture(Compilation(router).plan, "")
    return svg(drawn, lay_out(drawn))


def illustrated(text: str, page: str) -> tuple[str, dict[str, str]]:
    """A page with drawings below the configurations that are marked `<!-- drawn -->`, and these drawings by their paths."""
    library = Library.standard()
    drawings: dict[str, str] = {}

    def illustrate(found: re.Match) -> str:
        name = f"pictures/{page.removesuffix('.md')}-{found[2]}.svg"
        drawings[name] = drawing(check_text(found[1], library))
        return f"{found[0]}\n\n![The graph of {found[2]}.click]({name})"

    block = re.compile(r"^<!-- drawn -->\n\n```click\n((?:// ([\w-]+)\.click\b.*\n)(?:.*\n)*?)```$", re.MULTILINE)
    return block.sub(illustrate, text), drawings


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

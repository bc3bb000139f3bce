"""Writes the table of classes and where they run into docs/hooks.md, from what the classes declare.

    python tools/hooks.py
"""

from pathlib import Path

from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library
from clickbpf.vocabulary.traits import BEARS_OFFLOADS, MAY_BEAR_OFFLOADS

PAGE = Path(__file__).parent.parent / "docs/hooks.md"
BEGIN, END = "<!-- written by tools/hooks.py -->\n", "<!-- until here -->\n"
EXECUTORS = ("xdp", "tc", "user")


def table() -> str:
    library = Library.standard()
    rows = "".join(f"| {name} | {' | '.join(row(library.find(name)))} |\n" for name in library.names())
    return f"| class | XDP | TC | user space | bears offloads |\n|---|---|---|---|---|\n{rows}"


def row(class_: type[Element]) -> list[str]:
    """The cells of a class; what is a property depends on the arguments."""
    runs = class_.runs
    where = ["depends" if isinstance(runs, property) else "yes" if each in runs else "" for each in EXECUTORS]
    if not where[1]:
        looks = "looks" if class_.shown is not Element.shown else ""
        return [looks, looks, *where[2:], ""]
    return [*where, "depends" if MAY_BEAR_OFFLOADS in class_.traits else "yes" if BEARS_OFFLOADS in class_.traits else ""]


def page(text: str) -> str:
    """The page with the table in the place of the one that it has."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + table() + END + after


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))

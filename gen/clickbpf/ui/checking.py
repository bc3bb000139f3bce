"""Checking a text while it is edited: its mistakes, and where each element would run."""

from collections.abc import Collection
from typing import Any

from clickbpf.compile import Compilation
from clickbpf.draw.shape import printable
from clickbpf.errors import ClickError
from clickbpf.messages import plain
from clickbpf.ui import drawing
from clickbpf.ui.subjects import Shown, Subject

#: The version of a router that only exists as edited text.
WRITTEN = "written"


def checked(subject: Subject, text: str, unfolded: Collection[str]) -> dict[str, Any]:
    """The mistakes and warnings of a text that would replace the subject's; without mistakes, also the plan and the graph."""
    try:
        found = subject.check(text)
    except ClickError as error:
        return {"diagnostics": list(map(plain, error.diagnostics)), "plan": None, "graph": None}
    shown = Shown(Compilation(found, subject.options()), WRITTEN)
    return {
        "diagnostics": list(map(plain, found.warnings)),
        "plan": [_row(shown, element.name) for element in found.router.elements],
        "graph": drawing.graph(shown, unfolded),
    }


def _row(shown: Shown, name: str) -> list[Any]:
    """An element's name, class, placement, the reason for that, and its line in the text."""
    element, placed = shown.plan.checked.router.element(name), shown.plan.placements[name]
    return [name, element.class_name, placed.where, printable(placed.reason), element.place.line if element.place else None]

"""The checker's reports on a text, and, for a router without mistakes, where each element runs."""

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from clickbpf.compile import Compilation, check_text
from clickbpf.editor.words import Position, Words, position, words
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.frozen import frozen
from clickbpf.plan.values import Placement
from clickbpf.vocabulary.library import Library


@frozen
class Analysis:
    """`placed` has the elements that were written at a position, by their names: several for one within a compound."""

    text: str
    file: str
    names: Words
    diagnostics: tuple[Diagnostic, ...] = ()
    placed: Mapping[Position, dict[str, Placement]] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def analyse(text: str, file: str, library: Library) -> Analysis:
    """All that is known of a text; libraries that it requires are looked for beside its file."""
    names = words(text, file)
    try:
        checked = check_text(text, library, name=file)
        plan = Compilation(checked).plan
    except ClickError as error:
        return Analysis(text, file, names, error.diagnostics)
    placed: dict[Position, dict[str, Placement]] = {}
    for element in checked.router.elements:
        if element.place is not None and element.place.file == file:
            placed.setdefault(position(element.place), {})[element.name] = plan.placements[element.name]
    return Analysis(text, file, names, checked.warnings, placed)

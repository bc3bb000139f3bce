"""The checker's diagnostics of a text and, for a router without mistakes, the placement of each element."""

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
    """`placed` has the elements declared at each position, by name: an element of a compound class may be several elements of the
    router."""

    text: str
    file: str
    names: Words
    diagnostics: tuple[Diagnostic, ...] = ()
    placed: Mapping[Position, dict[str, Placement]] = field(default_factory=dict)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def analyse(text: str, file: str, library: Library) -> Analysis:
    """Analyse a text; libraries that it requires are searched for beside its file."""
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

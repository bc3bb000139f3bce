"""Diagnostics of users' mistakes: their places, messages and hints, and the format in which all stages report them.

    router.click:3:7: error: undeclared element 'ctr'
        src -> ctr -> Discard;
               ^
    hint: did you mean 'cnt'?

A stage that can go on after a mistake collects it in `Diagnostics` (see `reporting`) and passes the sound parts of its value to the next
stage; a stage that can't go on raises `ClickError` at once.  `Sources` keeps the text of every file that was read, so that diagnostics
found long after parsing can still show their lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from clickbpf.frozen import frozen

__all__ = [
    "NOTHING", "ClickError", "Diagnostic", "Diagnostics", "Fix", "Place", "Sources", "render", "render_as_click", "reporting", "word_end",
]  # fmt: skip


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A position in a file; lines and columns count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Fix(str):
    """A hint with only one correction: to replace the text `old`, which is at the diagnostic's place, by `new`."""

    def __new__(cls, hint: str, old: str, new: str) -> Fix:
        made = super().__new__(cls, hint)
        made.old, made.new = old, new
        return made

    def __getnewargs__(self) -> tuple[str, str, str]:
        return str(self), self.old, self.new


@frozen(slots=True)
class Diagnostic:
    """One mistake (`severity` "error") or probable mistake ("warning"), with its place and a hint.

    `in_click` are Click's messages about it, if they differ.
    """

    place: Place | None
    message: str
    hint: str | None = None
    severity: str = "error"
    in_click: tuple[Diagnostic, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.severity}: {self.message}"


#: For `in_click`: Click has no message about this.
NOTHING = Diagnostic(None, "")

_NEWLINE = re.compile(r"\r\n|\n|\r")
SourceLookup = Callable[[Place], "str | None"]


class Sources:
    """The lines of the files read so far, by file name and line number.

    Line directives give lines another file name and number; such lines are known under both names. The first text recorded for a line is
    kept.
    """

    def __init__(self) -> None:
        self._lines: dict[str, dict[int, str]] = {}
        #: Texts that haven't been split into lines, because no line was needed so far: file -> (text, number of its first line).
        self._texts: dict[str, list[tuple[str, int]]] = {}

    def add(self, file: str, text: str, first_line: int = 1) -> None:
        """Record `text` as the lines of `file` from `first_line` on."""
        self._texts.setdefault(file, []).append((text, first_line))

    def update(self, other: Sources) -> None:
        """Add the lines of `other` that this doesn't have."""
        for file in {**other._lines, **other._texts}:
            self._lines[file] = {**other._of(file), **self._of(file)}

    def line(self, place: Place) -> str | None:
        """The line at `place`, without its end, or None if it was never read."""
        return self._of(place.file).get(place.line)

    def _of(self, file: str) -> dict[int, str]:
        """The lines of a file by their numbers."""
        lines = self._lines.setdefault(file, {})
        for text, first_line in self._texts.pop(file, ()):
            for number, line in enumerate(_NEWLINE.split(text), first_line):
                lines.setdefault(number, line)
        return lines

    __call__ = line


class ClickError(Exception):
    """One or more mistakes; the only exception whose text is for users.

    `ClickError("message", place, hint)` makes one diagnostic, `ClickError([d1, d2])` has several. With `sources`, the printed error shows
    the lines.
    """

    def __init__(
        self,
        what: str | Iterable[Diagnostic],
        place: Place | None = None,
        hint: str | None = None,
        sources: Sources | None = None,
    ) -> None:
        made = (Diagnostic(place, what, hint),) if isinstance(what, str) else what
        self.diagnostics: tuple[Diagnostic, ...] = tuple(ordered(made))
        self.sources = sources
        super().__init__("\n".join(map(str, self.diagnostics)))

    def render(self) -> str:
        """The text for users, with source lines if they are known."""
        return render(self.diagnostics, self.sources)


class TooComplex(ClickError):
    """A program of the kernel path is too long for clang, too complex for the verifier, or uses too many maps. Shorter programs
    (--program-limit) may be accepted."""


_PATH = re.compile(r"(?<=')(?:[^'/\s]+/)+(?=[^'/\s]+')")


def _key(diagnostic: Diagnostic) -> tuple[Place | None, str]:
    """A key that is the same for reports of the same mistake."""
    return diagnostic.place, _PATH.sub("", diagnostic.message)


class Diagnostics:
    """Collects mistakes in any order; `raise_if_errors` reports them all at once.

    Of mistakes at one place that differ only in the paths of elements, the first is kept: a mistake within a compound element is
    reported once, however many instances have it.
    """

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._told: set[tuple[Place | None, str]] = set()

    def error(self, place: Place | None, message: str, hint: str | None = None, in_click: str | tuple[Diagnostic, ...] = ()) -> None:
        """Report a mistake. `in_click` may be a text, for the same place."""
        said = (Diagnostic(place, in_click),) if isinstance(in_click, str) else in_click
        self.add(Diagnostic(place, message, hint, in_click=said))

    def warning(self, place: Place | None, message: str, hint: str | None = None, in_click: str | tuple[Diagnostic, ...] = ()) -> None:
        said = (Diagnostic(place, in_click, None, "warning"),) if isinstance(in_click, str) else in_click
        self.add(Diagnostic(place, message, hint, "warning", said))

    def add(self, diagnostic: Diagnostic) -> None:
        if _key(diagnostic) not in self._told:
            self._told.add(_key(diagnostic))
            self._found[diagnostic] = None

    def forget(self, count: int) -> None:
        """Keep only the first `count` reports: the later ones were their consequences."""
        for diagnostic in list(self._found)[count:]:
            del self._found[diagnostic]
            self._told.discard(_key(diagnostic))

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(ordered(self._found))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        return any(d.severity == "error" for d in self._found)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self if d.severity == "warning")

    def raise_if_errors(self, sources: Sources | None = None) -> None:
        """Raise one `ClickError` with everything collected, warnings included, if any is an error."""
        if self.has_errors:
            raise ClickError(self, sources=sources)


@contextmanager
def reporting(found: Diagnostics | None, sources: Sources | None = None) -> Iterator[Diagnostics]:
    """The collector for a stage's reports: the caller's `found`, which the caller raises, or for None a new one, raised at the end."""
    own = Diagnostics() if found is None else found
    yield own
    if found is None:
        own.raise_if_errors(sources)


def ordered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Diagnostics sorted by place, those without a place first; equal ones once, and those at one place in the given order."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda d: (d.place is not None, d.place or Place("", 0, 0)))


#: The texts that a place can point to: a name or number, an address, a connector, or one character.
_WORD = re.compile(r"\$?\w[\w@]*(?:[./:](?=\w)[\w@]+)*|->|=>|::|.")


def word_end(line: str, column: int) -> int:
    """The column after the word at this column of a line; the next column if there is none."""
    word = _WORD.match(line, column - 1)
    return word.end() + 1 if word else column + 1


#: ECMA-48's colours for the parts of a rendered diagnostic: bold, red, magenta, green, cyan.
COLOURS = {"place": "1", "error": "1;31", "warning": "1;35", "caret": "1;32", "hint": "36"}


def render(diagnostics: Iterable[Diagnostic], source_lookup: SourceLookup | None = None, coloured: bool = False) -> str:
    """All diagnostics as text, ordered by place; `source_lookup(place)` returns the line to show."""

    def paint(part: str, text: str) -> str:
        return f"\x1b[{COLOURS[part]}m{text}\x1b[0m" if coloured else text

    lines: list[str] = []
    for diagnostic in ordered(diagnostics):
        where = paint("place", f"{diagnostic.place}:") + " " if diagnostic.place else ""
        lines.append(f"{where}{paint(diagnostic.severity, f'{diagnostic.severity}:')} {diagnostic.message}")
        source = source_lookup(diagnostic.place) if source_lookup and diagnostic.place else None
        if source is not None:
            shown, caret = _excerpt(source, diagnostic.place.column)
            lines += [shown, caret.replace("^", paint("caret", "^"))]
        if diagnostic.hint:
            lines.append(f"{paint('hint', 'hint:')} {diagnostic.hint}")
    return "\n".join(lines) + "\n" if lines else ""


def render_as_click(diagnostics: Iterable[Diagnostic]) -> str:
    """All diagnostics in Click's words and format: `file:line: message`, with further lines of a message indented by two columns."""
    lines: list[str] = []
    heading = ""
    for diagnostic in ordered(diagnostics):
        for said in diagnostic.in_click or (diagnostic,):
            if not said.message:
                continue
            where = f"{said.place.file}:{said.place.line}: " if said.place else ""
            severity = "warning: " if said.severity == "warning" else ""
            first, *more = f"{where}{severity}{said.message}".split("\n")
            lines += more if more and first == heading else [first, *more]
            heading = first
    return "".join(f"{line}\n" for line in lines)


#: The number of columns of a long line that are shown on each side of the place.
_AROUND = 100


def _excerpt(source: str, column: int) -> list[str]:
    """The source line, or the part of a long one around `column`, and a caret below the column. Tabs stay tabs, so that the caret is in
    the right place."""
    if len(source) > column + _AROUND:
        source = source[: column + _AROUND] + "..."
    if column > 2 * _AROUND:
        source, column = "..." + source[column - _AROUND :], _AROUND + len("...")
    before = source[: column - 1].ljust(column - 1)
    return [f"    {source}", "    " + "".join("\t" if c == "\t" else " " for c in before) + "^"]

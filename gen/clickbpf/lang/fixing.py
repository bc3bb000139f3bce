"""Corrects mistakes in a text whose hints leave no choice."""

from collections.abc import Iterable, Iterator

from clickbpf.errors import Diagnostic, Fix, ordered
from clickbpf.lang.landmarks import Landmarks


def fixes(text: str, file: str, diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[int, Diagnostic]]:
    """The diagnostics with a fix for this text, each with its offset. The text must have what the fix replaces.

    After a line directive there are no fixes, since places aren't the file's own.
    """
    landmarks = Landmarks(text, file)
    for diagnostic in ordered(diagnostics):
        if isinstance(diagnostic.hint, Fix) and diagnostic.place is not None and diagnostic.place.file == file:
            offset = landmarks.offset(diagnostic.place)
            if offset is not None and text.startswith(diagnostic.hint.old, offset):
                yield offset, diagnostic


def fixed(text: str, file: str, diagnostics: Iterable[Diagnostic]) -> tuple[str, list[Diagnostic]]:
    """The corrected text, and the diagnostics whose fixes were applied. Of overlapping fixes only the first is applied."""
    parts, done, applied = [], 0, []
    for offset, diagnostic in fixes(text, file, diagnostics):
        if offset >= done:
            parts += [text[done:offset], diagnostic.hint.new]
            done = offset + len(diagnostic.hint.old)
            applied.append(diagnostic)
    return "".join((*parts, text[done:])), applied

"""Mending a text where a mistake's hint leaves no choice."""

from collections.abc import Iterable, Iterator

from clickbpf.errors import Diagnostic, Fix, ordered
from clickbpf.lang.landmarks import Landmarks


def fixes(text: str, file: str, diagnostics: Iterable[Diagnostic]) -> Iterator[tuple[int, Diagnostic]]:
    """The diagnostics that have a fix for this text, each with its offset, where the text has what is to be replaced.

    In text after a line directive, places aren't the file's own: there is no fix for these.
    """
    landmarks = Landmarks(text, file)
    for diagnostic in ordered(diagnostics):
        if isinstance(diagnostic.hint, Fix) and diagnostic.place is not None and diagnostic.place.file == file:
            offset = landmarks.offset(diagnostic.place)
            if offset is not None and text.startswith(diagnostic.hint.old, offset):
                yield offset, diagnostic


def fixed(text: str, file: str, diagnostics: Iterable[Diagnostic]) -> tuple[str, list[Diagnostic]]:
    """The text as the fixes make it, and the diagnostics that had one. Where two meet, the first counts."""
    parts, done, mended = [], 0, []
    for offset, diagnostic in fixes(text, file, diagnostics):
        if offset >= done:
            parts += [text[done:offset], diagnostic.hint.new]
            done = offset + len(diagnostic.hint.old)
            mended.append(diagnostic)
    return "".join((*parts, text[done:])), mended

"""The places of a text's characters, by its lines and line directives."""

import bisect
import re
from array import array
from itertools import chain

from clickbpf.errors import Place, Sources

LINE = re.compile(r"[^\n\r]*")
NEWLINE = re.compile(r"\r\n|\n|\r")


class Landmarks:
    """Converts offsets to places by the starts of lines, and the directives so far."""

    def __init__(self, text: str, file: str) -> None:
        self._starts = array("Q", chain((0,), (m.end() for m in NEWLINE.finditer(text))))
        self._regions: list[tuple[int, str, int]] = [(0, file, 0)]

    def line_index(self, offset: int) -> int:
        return bisect.bisect_right(self._starts, offset) - 1

    def place(self, offset: int) -> Place:
        index = self.line_index(offset)
        at = bisect.bisect_right(self._regions, offset, key=lambda r: r[0]) - 1
        _, file, shift = self._regions[at]
        return Place(file, index + 1 + shift, offset - self._starts[index] + 1)

    def offset(self, place: Place) -> int | None:
        """The offset of a place's line and column, regardless of directives; None if the text has no such line."""
        return self._starts[place.line - 1] + place.column - 1 if 1 <= place.line <= len(self._starts) else None

    def file(self) -> str:
        return self._regions[-1][1]

    def record(self, text: str, sources: Sources) -> None:
        """Record every line in `sources` under the file and number that directives give it."""
        ends = [begin for begin, _, _ in self._regions[1:]] + [len(text)]
        for (begin, file, shift), end in zip(self._regions, ends):
            sources.add(file, text[begin:end], self.line_index(begin) + 1 + shift)

    def count(self) -> int:
        return len(self._regions)

    def forget(self, count: int) -> None:
        """Keep the first `count` landmarks."""
        del self._regions[count:]

    def rename(self, offset: int, file: str, line: int) -> None:
        """Record a directive: the line that begins at `offset` is line `line` of `file`."""
        self._regions.append((offset, file, line - self.line_index(offset) - 1))

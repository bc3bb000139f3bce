"""Guesses the end of a configuration string whose `)` is missing."""

import re
from collections.abc import Iterator

from clickbpf.lang.landmarks import LINE, NEWLINE

#: What follows the end of the string, the likeliest first.
_STOPS = (r"\)[ \t]*(?:;|->|=>|$)", r";[ \t]*(?://.*)?$", r"[ \t]->|[ \t]=>")


def guess_end(text: str, start: int, blamed: int | None) -> tuple[int, int]:
    """The end of the configuration string that begins at `start`, and the position at which to go on.

    `blamed` is the position of the unclosed quote or comment; None if the parenthesis itself isn't closed.
    """
    if blamed is None:
        stops, lines = ("|".join(_STOPS),), _argument_lines(text, start)
    else:
        stops, lines = _STOPS, iter([(blamed, LINE.match(text, blamed).end())])
    for begin, end in lines:
        for stop in stops:
            if found := re.compile(stop).search(text, begin, end):
                cut = found.start()
                return cut, cut + (text[cut] == ")")
    return end, end


def _argument_lines(text: str, pos: int) -> Iterator[tuple[int, int]]:
    """The rest of the line, and further lines that look like more arguments: they follow a comma, are indented further than the line, or
    begin with `)`."""
    begin, end = pos, LINE.match(text, pos).end()
    indent = _indent(text, text.rfind("\n", 0, pos) + 1)
    yield begin, end
    while newline := NEWLINE.match(text, end):
        after_comma = text[begin:end].rstrip().endswith(",")
        begin, end = newline.end(), LINE.match(text, newline.end()).end()
        line = text[begin:end]
        goes_on = after_comma or _indent(text, begin) > indent or line.lstrip().startswith(")")
        if not goes_on or not line.strip() or line[0] == "#" or "::" in line:
            return
        yield begin, end


def _indent(text: str, begin: int) -> int:
    """The indentation of the line that begins there; a tab counts as one."""
    return re.compile(r"[ \t]*").match(text, begin).end() - begin

"""Substitutions in a Script's texts: `$var`, `${var}`, and `$(handler arguments)`; the last may be nested."""

import re
from collections.abc import Callable

from clickbpf.declare import quote

#: Gives the value of `$name` or `$(text)`; None leaves the text alone.
Lookup = Callable[[str], "str | None"]

_DEPTH = 10
_NAME = re.compile(r"[A-Za-z0-9_]+|[?#$]")
_COMMENT = re.compile(r"//[^\n\r]*(?:\r\n|\n|\r|\Z)|/\*.*?(?:\*/|\Z)", re.DOTALL)


def expand(text: str, variable: Lookup, handler: Lookup, quote_all: bool = False, depth: int = 0) -> str:
    """`text` with its references replaced, except in single quotes and comments.

    In double quotes, and with `quote_all` outside of quotes too, a value is quoted to stay one string. As in Click, a text that
    would become empty stays as it is.
    """
    output, quoted, pos = [], "", 0
    while pos < len(text):
        char = text[pos]
        taken, pos = char, pos + 1
        if char == "\\" and quoted == '"':
            taken, pos = text[pos - 1 : pos + 1], pos + 1
        elif char in "'\"":
            quoted = "" if quoted == char else quoted or char
        elif char == "/" and not quoted and (comment := _COMMENT.match(text, pos - 1)):
            taken, pos = comment[0], comment.end()
        elif char == "$" and quoted != "'" and depth <= _DEPTH and (end := _reference_end(text, pos)):
            taken = _value(text[pos - 1 : end], variable, handler, depth, quoted, quote_all)
            pos = end
        output.append(taken)
    return "".join(output) or text


def _value(reference: str, variable: Lookup, handler: Lookup, depth: int, quoted: str, quote_all: bool) -> str:
    """The text for a reference, `$` included."""
    opening = reference[1] if reference[1] in "({" else ""
    name = reference[2:-1] if opening else reference[1:]
    inner = expand(name, variable, handler, False, depth + 1) if opening else name
    found = handler(inner) if opening == "(" else variable(inner)
    if found is None:
        return reference if inner == name else f"${opening}{inner}{reference[-1]}"
    if quoted:
        return quote(found)[1:-1]
    return quote(found) if quote_all else found


def _reference_end(text: str, pos: int) -> int | None:
    """The end of the reference whose `$` precedes `pos`; None if it is not a reference."""
    if text[pos : pos + 1] == "{":
        end = text.find("}", pos)
        return end + 1 if end >= 0 else None
    if text[pos : pos + 1] == "(":
        return _closing(text, pos + 1)
    name = _NAME.match(text, pos)
    return name.end() if name else None


def _closing(text: str, pos: int) -> int | None:
    """The position after the parenthesis that closes the one before `pos`; parentheses in quotes don't count."""
    level, quoted = 1, ""
    while pos < len(text):
        char = text[pos]
        if char == "\\" and quoted != "'":
            pos += 1
        elif char in "'\"":
            quoted = "" if quoted == char else quoted or char
        elif char in "()" and not quoted:
            level += 1 if char == "(" else -1
            if not level:
                return pos + 1
        pos += 1
    return None

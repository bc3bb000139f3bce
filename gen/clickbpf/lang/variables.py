"""Variables in configuration strings: `$a`, `${a}`, `${a[2]}`, `${a-default}`; and `$(a)`, which is left to scripts if there is no such
variable.

Values are configuration strings, and keep their places, so that a bad argument is reported where it was written, not where a compound
element passes it on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from clickbpf import digits
from clickbpf.errors import ClickError
from clickbpf.lang.ast import Anchor, Config
from clickbpf.lang.config import quote, split_words_at

_BRACED = re.compile(
    r"[ \t\n\v\f\r]*(?P<name>[A-Za-z0-9_]*)[ \t\n\v\f\r]*"
    r"(?:\[[ \t\n\v\f\r]*(?P<index>-?[0-9]+)\][ \t\n\v\f\r]*)?(?P<default>-)?"
)
_STOP = re.compile(
    r"""\\.|['"]|//[^\n\r]*(?:\r\n|\n|\r|\Z)|/\*.*?(?:\*/|\Z)
      |\$(?:(?P<name>[A-Za-z0-9_]+)|\{(?P<braced>[^}]*)\}|(?P<called>\())""",
    re.VERBOSE | re.DOTALL,
)
#: The most values in one configuration string. Each value can contain another one twice, so their number can grow exponentially.
MOST_VALUES = 1 << 16
#: What matters between the parentheses of `$(...)`.
_WITHIN = re.compile(r"\\.|['\"()$]", re.DOTALL)


@dataclass
class Scope:
    """Variables of one scope; `depth` is the number of compound definitions around it, `asked` the names that were looked up in it."""

    parent: Scope | None = None
    values: dict[str, Config] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.depth: int = self.parent.depth + 1 if self.parent else 0

    def find(self, name: str) -> Config | None:
        scope: Scope | None = self
        while scope:
            scope.asked.add(name)
            if name in scope.values:
                return scope.values[name]
            scope = scope.parent
        return None

    def enclosing(self, depth: int) -> Scope | None:
        """The nearest scope less than `depth` deep: the scope around a definition at `depth`."""
        scope: Scope | None = self
        while scope and scope.depth >= depth:
            scope = scope.parent
        return scope


def first_variable(text: str) -> str | None:
    """The name of the first variable in a configuration string, outside of single quotes and comments."""
    quoted, pos = "", 0
    while stop := _STOP.search(text, pos):
        pos, token = stop.end(), stop[0]
        if token in "'\"":
            quoted = "" if quoted == token else quoted or token
        elif token[0] == "/" and quoted:
            pos = stop.start() + 1
        elif token[0] == "$" and quoted != "'" and token != "$(" and (name := stop["name"] or _BRACED.match(stop["braced"])["name"]):
            return name
    return None


def cut(config: Config, start: int, end: int | None = None) -> Config:
    """Part of a configuration string, with its places."""
    end = len(config.text) if end is None else end
    inside = [Anchor(a.offset - start, a.place, a.fixed) for a in config.anchors if start < a.offset < end]
    i = max(n for n, a in enumerate(config.anchors) if a.offset <= start or n == 0)
    first = Anchor(0, config.place_of(start), config.anchors[i].fixed)
    return Config(config.text[start:end], (first, *inside))


def join(parts: list[Config], separator: str = "") -> Config:
    """The parts, one after the other, with their places."""
    text, anchors = "", []
    for part in parts:
        if text or anchors:
            text += separator
        anchors += [Anchor(len(text) + a.offset, a.place, a.fixed) for a in part.anchors]
        text += part.text
    return Config(text, tuple(anchors)) if parts else Config("")


def expand(config: Config, scope: Scope) -> Config:
    """`config` with the variables in `scope` replaced by their values; others stay.

    Nothing is replaced in single quotes and comments.  In double quotes a value is quoted, so that it stays one string. Variables in
    values are replaced as well; ClickError if there are too many.
    """
    try:
        return _expand(config, scope, _Busy())
    except (RecursionError, _TooMany):
        raise ClickError("values of variables contain too many variables", config.place) from None


class _TooMany(Exception):
    """A configuration string has more than MOST_VALUES values."""


@dataclass
class _Busy:
    """The variables whose values are being expanded, and how many values there have been so far."""

    names: frozenset[str] = frozenset()
    values: Iterator[int] = field(default_factory=count)

    def with_value_of(self, name: str) -> _Busy:
        if next(self.values) >= MOST_VALUES:
            raise _TooMany
        return _Busy(self.names | {name}, self.values)


def _expand(config: Config, scope: Scope, busy: _Busy) -> Config:
    """`config` with variables replaced, except those that are `busy`."""
    if "$" not in config.text:
        return config
    parts: list[Config] = []
    quoted, done, pos = "", 0, 0
    while stop := _STOP.search(config.text, pos):
        pos = stop.end()
        token = stop[0]
        if token[0] == "\\":
            pos = stop.end() if quoted == '"' else stop.start() + 1
        elif token in "'\"":
            quoted = "" if quoted == token else quoted or token
        elif token[0] == "/":
            pos = stop.start() + 1 if quoted else stop.end()
        elif quoted == "'":
            pos = stop.start() + 1
        else:
            found = _called(stop, config, scope, busy) if stop["called"] else Reference(stop.end(), _value(stop, config, scope, busy))
            if found is None:
                break
            pos = found.end
            if found.value is not None:
                value = _as_part_of_string(found.value) if quoted and found.whole else found.value
                parts += [cut(config, done, stop.start()), value]
                done = pos
    return join([*parts, cut(config, done)]) if parts else config


@dataclass
class Reference:
    """A `$...` that ends before `end`, and its value: None to leave it alone. If `whole`, it is a variable's value; otherwise the text with
    the variables inside it replaced."""

    end: int
    value: Config | None
    whole: bool = True


def _as_part_of_string(value: Config) -> Config:
    return Config(quote(value.text)[1:-1], (Anchor(0, value.place, fixed=True),))


def _called(reference: re.Match[str], config: Config, scope: Scope, busy: _Busy) -> Reference | None:
    """The value of a `$(...)`; None if the parenthesis is never closed. If it names no variable, variables inside it are replaced."""
    end, has_variables = _closing(config.text, reference.end())
    if end is None:
        return None
    inner = cut(config, reference.end(), end - 1)
    name = _expand(inner, scope, busy) if has_variables else inner
    value = _find(name.text, scope, busy)
    if value is None and has_variables:
        return Reference(end, join([cut(config, reference.start(), reference.end()), name, cut(config, end - 1, end)]), whole=False)
    return Reference(end, value)


def _closing(text: str, pos: int) -> tuple[int | None, bool]:
    """The end of a `$(` whose content begins at `pos`, and whether the content has a variable."""
    level, quoted, has_variables = 1, "", False
    while stop := _WITHIN.search(text, pos):
        token, pos = stop[0], stop.end()
        if token[0] == "\\":
            pos -= quoted == "'"
        elif token in "'\"":
            quoted = "" if quoted == token else quoted or token
        elif token == "$":
            has_variables |= quoted != "'"
        elif not quoted:
            level += 1 if token == "(" else -1
            if not level:
                return pos, has_variables
    return None, has_variables


def _value(reference: re.Match[str], config: Config, scope: Scope, busy: _Busy) -> Config | None:
    """The value of a `$...`, or None to leave it alone."""
    if reference["name"]:
        return _find(reference["name"], scope, busy)
    start, end = reference.span("braced")
    inner = _expand(cut(config, start, end), scope, busy)
    form = _BRACED.match(inner.text)
    value = _find(form["name"], scope, busy)
    if value is not None:
        return value if form["index"] is None else _word(value, int(form["index"][: digits.MOST]))
    if form["default"]:
        return _expand(cut(inner, form.end()), scope, busy)
    if inner.text != reference["braced"]:
        return join([cut(config, start - 2, start), inner, cut(config, end, end + 1)])
    return None


def _find(name: str, scope: Scope, busy: _Busy) -> Config | None:
    found = None if name in busy.names else scope.find(name)
    return _expand(found, scope, busy.with_value_of(name)) if found is not None else None


def _word(value: Config, index: int) -> Config:
    """Word `index` of a value, counting from 0. A negative index gives the whole value, one that is too large an empty text."""
    if index < 0:
        return value
    words = split_words_at(value.text)
    if index >= len(words):
        return Config("", value.anchors[:1])
    text, offset = words[index]
    return cut(value, offset, offset + len(text))

"""Configuration strings: splitting them into arguments and words, quoting and unquoting.

A configuration string is a comma-separated list of arguments, an argument a space-separated list
of words.  Commas and spaces in quotes, in comments and in `\\<...>` don't separate.  Comments
count as one space.  A string's bytes are its text in UTF-8 (surrogateescape), so `unquote_bytes` can return any byte;
`unquote` returns the same as text.
"""

import re
from collections.abc import Iterator

SPACE = " \t\n\v\f\r"

# One indivisible piece of configuration text.  A string or comment that is not closed runs to the
# end; a lone quote character can therefore not occur in `other`.
_PIECE = re.compile(
    r"""(?P<space>[ \t\n\v\f\r]+)
      | (?P<comment>//[^\n\r]*(?:\r\n|\n|\r|\Z) | /\*.*?(?:\*/|\Z))
      | (?P<double>"(?:[^"\\]|\\<(?:[^>/]|//[^\n\r]*(?:[\n\r]|\Z)|/\*.*?(?:\*/|\Z)|/)*(?:>|\Z)|\\.|\\\Z)*(?:"|\Z))
      | (?P<single>'[^']*(?:'|\Z))
      | (?P<data>\\<(?:[^>/]|//[^\n\r]*(?:[\n\r]|\Z)|/\*.*?(?:\*/|\Z)|/)*(?:>|\Z))
      | (?P<comma>,)
      | (?P<other>[^ \t\n\v\f\r,"'/\\()]+|.)""",
    re.VERBOSE | re.DOTALL,
)


# The start of a piece that may contain commas, or that isn't part of an argument.
_UNPLAIN = re.compile(r"""["'\\]|/[/*]""")


def pieces(text: str, start: int = 0):
    """Regular-expression matches that cover `text` from `start`; `lastgroup` names the kind."""
    return _PIECE.finditer(text, start)


def is_open(piece: re.Match[str]) -> bool:
    """Whether a quote, comment or `\\<` was never closed."""
    kind, text = piece.lastgroup, piece[0]
    if kind == "comment" and text.startswith("//"):
        return not text.endswith(("\n", "\r"))
    if kind == "comment":
        return len(text) < 4 or not text.endswith("*/")
    if kind == "single":
        return len(text) < 2 or not text.endswith("'")
    if kind == "double":
        return not re.fullmatch(r'"(?:[^"\\]|\\<[^>]*>|\\[^<])*"', text, re.DOTALL)
    return kind == "data" and not text.endswith(">")


def is_balanced(text: str) -> bool:
    """Whether `text` can be a configuration string: quotes closed, parentheses in pairs."""
    depth = 0
    for piece in pieces(text):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if depth < 0 or is_open(piece):
            return False
    return depth == 0


def split_args(config: str) -> list[tuple[str, int]]:
    """The arguments between the commas, each with the offset of its first character.

    Arguments are trimmed, comments in them become one space, and an empty last argument is
    dropped: `1, /* none */` has one argument, `, 1` has two.
    """
    args = _split(config) if _UNPLAIN.search(config) else _split_plain(config)
    return args if args[-1][0] else args[:-1]


def _split(config: str) -> list[tuple[str, int]]:
    args: list[tuple[str, int]] = []
    at: int | None = 0
    while at is not None:
        text, offset, at = argument_at(config, at)
        args.append((text, offset))
    return args


def argument_at(config: str, start: int) -> tuple[str, int, int | None]:
    """The argument that begins at `start`, the offset of its first character, and where the next argument begins: None if no comma
    follows."""
    comma = config.find(",", start)
    if comma >= 0 and not _UNPLAIN.search(config, start, comma):
        text = config[start:comma].strip(SPACE)
        return text, config.index(text[0], start) if text else start, comma + 1
    argument = _Trimmer(start)
    for piece in pieces(config, start):
        if piece.lastgroup == "comma":
            return (*argument.result(), piece.end())
        argument.add(piece)
    return (*argument.result(), None)


def _split_plain(config: str) -> list[tuple[str, int]]:
    """The arguments of a string without quotes and comments, such as a large table, in much less time."""
    args: list[tuple[str, int]] = []
    begin = 0
    for part in config.split(","):
        text = part.strip(SPACE)
        args.append((text, begin + (part.find(text[0]) if text else 0)))
        begin += len(part) + 1
    return args


def uncomment(text: str) -> str:
    """`text` without space at its ends, with one space instead of adjacent comments."""
    argument = _Trimmer(0)
    for piece in pieces(text):
        argument.add(piece)
    return argument.result()[0]


class _Trimmer:
    """Joins pieces to an argument, without space at its ends."""

    def __init__(self, offset: int) -> None:
        self._text: list[str] = []
        self._gap = ""
        self._commented = False
        self._offset = offset

    def add(self, piece: re.Match[str]) -> None:
        if piece.lastgroup == "space":
            self._gap = piece[0]  # several have comments between them
        elif piece.lastgroup == "comment":
            self._commented = True
        else:
            if not self._text:
                self._offset = piece.start()
            else:
                self._text.append(" " if self._commented else self._gap)
            self._text.append(piece[0])
            self._gap, self._commented = "", False

    def result(self) -> tuple[str, int]:
        return "".join(self._text), self._offset


_NAME = re.compile(r"[A-Za-z_@][A-Za-z0-9_@]*(?:/[A-Za-z0-9_@]+)*")


def words(config: str) -> set[str]:
    """All words of a configuration string that may be names of elements, addresses or variables."""
    return set(_NAME.findall(config))


def defined_words(config: str) -> set[str]:
    """The first words of arguments of several words: names, if the string defines any (`NAME VALUE, ...`)."""
    args = (split_words(argument) for argument, _ in split_args(config))
    return {word for first, *rest in filter(None, args) if rest for word in words(first)}


def split_words(argument: str) -> list[str]:
    """The words between the spaces and comments of `argument`, still quoted."""
    return [word for word, _ in split_words_at(argument)]


def split_words_at(argument: str) -> list[tuple[str, int]]:
    """The words as by `split_words`, each with the offset of its first character."""
    return [(argument[start:end], start) for start, end in _word_spans(argument)]


def _word_spans(argument: str) -> Iterator[tuple[int, int]]:
    """The beginning and end of each word."""
    start = None
    for piece in pieces(argument):
        if piece.lastgroup not in ("space", "comment"):
            start = piece.start() if start is None else start
        elif start is not None:
            yield start, piece.start()
            start = None
    if start is not None:
        yield start, len(argument)


def shift_word(argument: str) -> tuple[str, str]:
    """The first word, and the rest after the space that follows."""
    spans = _word_spans(argument)
    start, end = next(spans, (0, 0))
    rest, _ = next(spans, (len(argument), 0))
    return argument[start:end], argument[rest:]


_KEYWORD = re.compile(r"([A-Za-z0-9_.:?!]+)(?:[ \t\n\v\f\r]+(?=(.*))|\Z)", re.DOTALL)


def split_keyword(argument: str) -> tuple[str, str] | None:
    """`KEY value` as ("KEY", "value"), or None if the first word can't be a keyword.

    A keyword is unquoted letters, digits and `_.:?!`; the value of a keyword alone is "".
    """
    match = _KEYWORD.match(argument)
    return (match[1], match[2] or "") if match else None


def assign_arguments(args: list[str], keywords: list[str | None]) -> list[list[tuple[int, int]]] | None:
    """The arguments for each parameter of a compound, or None if they don't fit.

    `keywords` names the parameters in order: None for positional ones, then keywords, then perhaps
    `__REST__`, which takes all other arguments.  All parameters but `__REST__` need an argument.  After a keyword, positional
    arguments are only allowed for `__REST__`; of a repeated keyword the last counts.
    A parameter's value is listed as (index of the argument, offset of the value in it).
    """
    rest = bool(keywords) and keywords[-1] == "__REST__"
    named = keywords[:-1] if rest else keywords
    positional = sum(keyword is None for keyword in named)
    if not rest and positional == len(named):
        return [[(i, 0)] for i in range(len(args))] if len(args) == positional else None

    values: list[list[tuple[int, int]]] = [[] for _ in named]
    left: list[tuple[int, int]] = []
    for i, arg in enumerate(args):
        split = split_keyword(arg) if i >= positional else None
        if i < positional:
            values[i] = [(i, 0)]
        elif split and split[0] in named:
            values[named.index(split[0])] = [(i, len(arg) - len(split[1]))]
        else:
            left.append((i, 0))
    if not all(values) or (left and not rest):
        return None
    return values + ([left] if rest else [])


_SIMPLE = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_HEX_DIGIT = re.compile(r"[0-9A-Fa-f]")
_COMMENT = re.compile(r"//[^\n\r]*(?:\r\n|\n|\r|\Z)|/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:\r\n|[0-7]{1,3}|x[0-9A-Fa-f]*|.|\Z)", re.DOTALL)


def unquote_bytes(text: str) -> bytes:
    """Remove comments and one level of quotes; replace the backslash escapes in double quotes.

    Escapes are those of C, `\\x` with any number of digits (the last two count), `\\<...>` with data in
    hexadecimal, and backslash-newline, which stands for nothing.  `\\<...>` also works outside of quotes.
    """
    out = bytearray()
    for piece in pieces(uncomment(text)):
        body = piece[0]
        if piece.lastgroup == "single":
            out += _encode(body[1:].removesuffix("'"))
        elif piece.lastgroup == "double":
            out += _unescape(_inside(body))
        elif piece.lastgroup == "data":
            out += _data(body)
        else:
            out += _encode(body)
    return bytes(out)


def unquote(text: str) -> str:
    """`unquote_bytes` as text; bytes that are not UTF-8 become surrogate escapes."""
    return unquote_bytes(text).decode("utf-8", "surrogateescape")


def quote(value: str | bytes) -> str:
    """A double-quoted string of printable ASCII whose unquoted value is `value`; never empty."""
    escapes = {0x5C: "\\\\", 0x22: '\\"', 0x24: "\\$", 9: "\\t", 10: "\\n", 13: "\\r"}
    raw = _encode(value) if isinstance(value, str) else value
    return '"' + "".join(escapes.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in raw) + '"'


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _inside(double: str) -> str:
    """The inside of a double-quoted piece, whose closing quote may be missing or escaped."""
    closed = re.fullmatch(r'"(?:[^"\\]|\\.)*"', double, re.DOTALL) and len(double) > 1
    return double[1:-1] if closed else double[1:]


def _unescape(text: str) -> bytes:
    out = bytearray()
    pos = 0
    while (backslash := text.find("\\", pos)) >= 0:
        out += _encode(text[pos:backslash])
        piece = next(pieces(text, backslash))
        if piece.lastgroup == "data":
            out += _data(piece[0])
            pos = piece.end()
        else:
            escape = _ESCAPE.match(text, backslash)
            out += _escaped(escape[0][1:])
            pos = escape.end()
    return bytes(out + _encode(text[pos:]))


def _escaped(code: str) -> bytes:
    if code in ("\n", "\r", "\r\n"):
        return b""
    if code == "":
        return b"\\"
    if code in _SIMPLE:
        return bytes([_SIMPLE[code]])
    if code[0] in "01234567":
        return bytes([int(code, 8) & 0xFF])
    if code[0] == "x":
        return bytes([int(code[1:] or "0", 16) & 0xFF])
    return _encode(code)


def _data(piece: str) -> bytes:
    """`\\<48 65 6c>`: pairs of digits; anything else between them is skipped, an odd digit dropped."""
    digits = "".join(_HEX_DIGIT.findall(_COMMENT.sub("", piece[2:])))
    return bytes.fromhex(digits[: len(digits) & ~1])

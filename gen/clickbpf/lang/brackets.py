"""Pairs up `{` and `(` with their closing brackets: inserts missing ones, and removes superfluous ones.

If all pair up, nothing changes.  Otherwise the layout shows what was meant, as it does to a reader: a bracket is closed before the first
line that is indented no more than its own line, or by the bracket that begins that line.  So one missing brace costs one statement, and
not the rest of the file.
"""

from collections.abc import Iterator
from itertools import takewhile

from clickbpf.errors import Diagnostics
from clickbpf.frozen import frozen
from clickbpf.lang import mistakes
from clickbpf.lang.tokens import Token, token

OPENS = {"LBRACE": "RBRACE", "LPAR": "RPAR"}
CLOSES = {"RBRACE": "}", "RPAR": ")"}
BEGINS_STATEMENT = ("SEMI", "LBRACE", "LPAR", "BAR", "BARBAR")
GOES_ON = ("ARROW", "COMMA", "BARBAR", "BAR", "DOTS", "COLONCOLON")


def balance(tokens: list[Token], found: Diagnostics) -> list[Token]:
    """`tokens` with their brackets in pairs. Inserted tokens, and those before removed ones, are marked as damaged."""
    if _pairs_up(tokens):
        return tokens
    changes = _Layout(tokens, found)
    changes.run()
    return changes.result()


def _pairs_up(tokens: list[Token]) -> bool:
    wanted: list[str] = []
    for t in tokens:
        if t.type in OPENS:
            wanted.append(OPENS[t.type])
        elif t.type in CLOSES and (not wanted or wanted.pop() != t.type):
            return False
    return not wanted


@frozen(slots=True)
class _Open:
    """An opening bracket: the number of its token, and of the token that ends its block by layout."""

    number: int
    end: int


class _Layout:
    def __init__(self, tokens: list[Token], found: Diagnostics) -> None:
        self.tokens, self.found = tokens, found
        self.ends = _blocks(tokens)
        self.open: list[_Open] = []
        self.header: int | None = None  # the last `elementclass` outside of brackets
        self.count = dict.fromkeys(CLOSES, 0)  # the number of open brackets, by the kind that closes them
        self.put_in: dict[int, list[Token]] = {}
        self.left_out: set[int] = set()

    def run(self) -> None:
        for number, t in enumerate(self.tokens):
            if t.type in OPENS:
                self.open.append(_Open(number, self.ends[number]))
                self.count[OPENS[t.type]] += 1
            elif t.type in CLOSES:
                self.close(number, t)
            elif t.type == "ELEMENTCLASS" and not self.open:
                self.header = number
        while self.open:
            self.never_closed()

    def close(self, number: int, t: Token) -> None:
        """Close the innermost open bracket of this kind, or remove the token."""
        while self.open and self.open[-1].end < number and not self.all_close(self.open[-1].end, number):
            self.never_closed()
        if t.type == "RBRACE" and not self.count[t.type] and self.was_opened():
            return
        if not self.count[t.type] or self.ends_later(number, t):
            self.left_out.add(number)
            before = self.tokens[number - 1] if number else t
            if before.type not in BEGINS_STATEMENT:
                before.damaged = True
            if not any(self.tokens[n].damaged and n != number - 1 for n in self.line_before(number)):
                self.found.error(t.place, *mistakes.closes_nothing(t))
            return
        while self.closer() != t.type:
            self.never_closed(number)
        self.count[t.type] -= 1
        self.open.pop()

    def was_opened(self) -> bool:
        """Insert a missing `{` after the last `elementclass`; returns whether it was missing."""
        if self.header is None or self.header + 2 >= len(self.tokens):
            return False
        name, after = self.tokens[self.header + 1 : self.header + 3]
        goes_on = after.type == "IDENT" and after.place.line == name.place.line
        if name.type not in ("IDENT", "KEYWORD") or after.type in ("LBRACE", "RBRACE", "SEMI") or goes_on:
            return False
        self.put_in.setdefault(self.header + 2, []).append(token("LBRACE", "{", name.end, name.end))
        self.found.error(name.end, *mistakes.never_opened(name))
        name.type = "IDENT"  # not the keyword of the parameter that follows
        self.header = None
        return True

    def closer(self) -> str:
        """The kind of token that closes the innermost bracket."""
        return OPENS[self.tokens[self.open[-1].number].type]

    def ends_later(self, number: int, t: Token) -> bool:
        """Whether a bracket at the beginning of a later line closes the innermost block, which began on an earlier line."""
        if not self.open:
            return False
        here, end = self.open[-1], self.open[-1].end
        if not number < end < len(self.tokens) or self.tokens[end].type != self.closer():
            return False
        if self.tokens[here.number].place.line != t.place.line:
            return True
        # If it began on this line: only if no other open bracket explains the indented lines below.
        below = next(n for n in range(number, end + 1) if self.tokens[n].place.line != t.place.line)
        return below != end and not any(o.end == end for o in self.open[-2:-1])

    def all_close(self, begin: int, end: int) -> bool:
        return all(t.type in CLOSES for t in self.tokens[begin:end])

    def line_before(self, number: int) -> Iterator[int]:
        """The tokens before this one on its line, from right to left."""
        line = self.tokens[number].place.line
        return takewhile(lambda n: self.tokens[n].place.line == line, range(number - 1, -1, -1))

    def never_closed(self, before: int | None = None) -> None:
        """Insert the end of the innermost bracket: before the token `before`, or where its block ends by layout."""
        innermost = self.open.pop()
        opening = self.tokens[innermost.number]
        end = min(n for n in (before, innermost.end, len(self.tokens) - 1) if n is not None)
        kind, place = OPENS[opening.type], self.tokens[end].place
        self.count[kind] -= 1
        made = token(kind, CLOSES[kind], place, place)
        made.damaged = True
        self.put_in.setdefault(end, []).append(made)
        self.found.error(opening.place, *mistakes.never_closed(opening))

    def result(self) -> list[Token]:
        made: list[Token] = []
        for number, t in enumerate(self.tokens):
            made += self.put_in.get(number, ())
            if number not in self.left_out:
                made.append(t)
        return made


def _blocks(tokens: list[Token]) -> list[int]:
    """For each token, the token that ends a block that begins on its line: the first token of the next line that is indented no more.

    A line that begins with an arrow or the like belongs to the line before it.
    """
    firsts: list[int] = []  # for each token the first of its line
    ends = [len(tokens)] * len(tokens)
    lines: list[int] = []  # first tokens of lines whose blocks have not ended, ever more indented
    line = None
    for number, t in enumerate(tokens):
        if t.type == "$END" or ((t.place.file, t.place.line) != line and (t.type not in GOES_ON or not firsts)):
            column = t.place.column if t.type != "$END" else 0
            while lines and tokens[lines[-1]].place.column >= column:
                ends[lines.pop()] = number
            lines.append(number)
        line = t.place.file, t.place.line
        firsts.append(lines[-1])
    return [ends[first] for first in firsts]

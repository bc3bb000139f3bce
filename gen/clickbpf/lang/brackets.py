"""Which `{` and `(` a text closes: put in what is missing, leave out what is too much.

Brackets that pair up are left as they are.  Where they don't, the layout tells what was meant, as it
tells whoever reads the text: a bracket is closed before the first line that is indented no more than
its own line, or by the bracket that begins that line.  So one missing brace costs one statement and
not the rest of the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from clickbpf.errors import Diagnostics
from clickbpf.lang import mistakes
from clickbpf.lang.tokens import Token, token

OPENS = {"LBRACE": "RBRACE", "LPAR": "RPAR"}
CLOSES = {"RBRACE": "}", "RPAR": ")"}
GOES_ON = ("ARROW", "COMMA", "BARBAR", "BAR", "DOTS", "COLONCOLON")


def balance(tokens: list[Token], found: Diagnostics) -> list[Token]:
    """`tokens` with their brackets in pairs; what was put in, and what stands before what was left out, is doubtful."""
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


@dataclass(frozen=True, slots=True)
class _Open:
    """An opening bracket: its number, and that of the token that ends its block by layout."""

    number: int
    end: int


class _Layout:
    def __init__(self, tokens: list[Token], found: Diagnostics) -> None:
        self.tokens, self.found = tokens, found
        self.ends = _blocks(tokens)
        self.open: list[_Open] = []
        self.count = dict.fromkeys(CLOSES, 0)  # of open brackets, by what closes them
        self.put_in: dict[int, list[Token]] = {}
        self.left_out: set[int] = set()

    def run(self) -> None:
        for number, t in enumerate(self.tokens):
            if t.type in OPENS:
                self.open.append(_Open(number, self.ends[number]))
                self.count[OPENS[t.type]] += 1
            elif t.type in CLOSES:
                self.close(number, t)
        while self.open:
            self.never_closed()

    def close(self, number: int, t: Token) -> None:
        """Let the bracket close the innermost that it fits, or leave it out."""
        while self.open and self.open[-1].end < number:
            self.never_closed()
        if not self.count[t.type] or self.ends_later(number, t):
            self.found.error(t.place, *mistakes.closes_nothing(t))
            self.left_out.add(number)
            if number:
                self.tokens[number - 1].doubtful = True
            return
        while self.closer() != t.type:
            self.never_closed(number)
        self.count[t.type] -= 1
        self.open.pop()

    def closer(self) -> str:
        """What closes the innermost bracket."""
        return OPENS[self.tokens[self.open[-1].number].type]

    def ends_later(self, number: int, t: Token) -> bool:
        """Whether the innermost block, begun on an earlier line, is closed by a bracket that begins a later line."""
        opening, end = self.tokens[self.open[-1].number], self.open[-1].end
        same_line = opening.place.line == t.place.line
        return not same_line and number < end < len(self.tokens) and self.tokens[end].type == self.closer()

    def never_closed(self, before: int | None = None) -> None:
        """The innermost bracket is closed before token `before`, or where its block ends by layout."""
        innermost = self.open.pop()
        opening = self.tokens[innermost.number]
        end = min(n for n in (before, innermost.end, len(self.tokens) - 1) if n is not None)
        kind, place = OPENS[opening.type], self.tokens[end].place
        self.count[kind] -= 1
        made = token(kind, CLOSES[kind], place, place)
        made.doubtful = True
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
    """For each token the one that ends a block begun on its line.

    That is the first of the next line that is indented no more.  A line that goes on with what stands before it
    belongs to the line before.
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

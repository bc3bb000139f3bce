"""Which `{` and `(` a text closes: missing brackets are put in, surplus brackets left out.

Brackets that pair up are left as they are.  Where they don't, the layout shows what was meant, as it
does to whoever reads the text: a bracket is closed before the first line that is indented no more than
its own line, or by the bracket that begins that line.  So one missing brace costs one statement and
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
    """`tokens` with their brackets in pairs. Tokens that were put in, and those before ones that were left out, are damaged."""
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
    """An opening bracket: its number, and that of the token that ends its block by layout."""

    number: int
    end: int


class _Layout:
    def __init__(self, tokens: list[Token], found: Diagnostics) -> None:
        self.tokens, self.found = tokens, found
        self.ends = _blocks(tokens)
        self.open: list[_Open] = []
        self.header: int | None = None  # the last `elementclass` that is not within brackets
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
            elif t.type == "ELEMENTCLASS" and not self.open:
                self.header = number
        while self.open:
            self.never_closed()

    def close(self, number: int, t: Token) -> None:
        """Let the bracket close the innermost that it fits, or leave it out."""
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
        """Put in the `{` of the last `elementclass`, if there is none."""
        if self.header is None or self.header + 2 >= len(self.tokens):
            return False
        name, behind = self.tokens[self.header + 1 : self.header + 3]
        goes_on = behind.type == "IDENT" and behind.place.line == name.place.line
        if name.type not in ("IDENT", "KEYWORD") or behind.type in ("LBRACE", "RBRACE", "SEMI") or goes_on:
            return False
        self.put_in.setdefault(self.header + 2, []).append(token("LBRACE", "{", name.end, name.end))
        self.found.error(name.end, *mistakes.never_opened(name))
        name.type = "IDENT"  # not the keyword of the parameter that follows
        self.header = None
        return True

    def closer(self) -> str:
        """What closes the innermost bracket."""
        return OPENS[self.tokens[self.open[-1].number].type]

    def ends_later(self, number: int, t: Token) -> bool:
        """Whether the innermost block, begun on an earlier line, is closed by a bracket that begins a later line."""
        if not self.open:
            return False
        here, end = self.open[-1], self.open[-1].end
        if not number < end < len(self.tokens) or self.tokens[end].type != self.closer():
            return False
        if self.tokens[here.number].place.line != t.place.line:
            return True
        # On one line: only if what is indented below it has no other bracket around it.
        below = next(n for n in range(number, end + 1) if self.tokens[n].place.line != t.place.line)
        return below != end and not any(o.end == end for o in self.open[-2:-1])

    def all_close(self, begin: int, end: int) -> bool:
        return all(t.type in CLOSES for t in self.tokens[begin:end])

    def line_before(self, number: int) -> Iterator[int]:
        """The tokens before this one on its line, from right to left."""
        line = self.tokens[number].place.line
        return takewhile(lambda n: self.tokens[n].place.line == line, range(number - 1, -1, -1))

    def never_closed(self, before: int | None = None) -> None:
        """The innermost bracket is closed before token `before`, or where its block ends by layout."""
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

"""From tokens to a syntax tree, reporting all mistakes of a text in one run.

LALR tables do the parsing (machine.py). At a mistake the parser looks for the smallest repair after which the next tokens can be parsed:
it inserts one token, or removes a few. The repair also determines the report (mistakes.py). A repaired statement becomes
`ast.Broken`, unless its meaning is clear.
"""

from collections.abc import Collection, Sequence

from clickbpf.errors import Diagnostics, Sources, reporting
from clickbpf.lang import ast, checks, mistakes
from clickbpf.lang.ast import Config
from clickbpf.lang.brackets import BEGINS_STATEMENT, CLOSES, OPENS, balance
from clickbpf.lang.build import Block, Build, Damage
from clickbpf.lang.config import words as words_of
from clickbpf.lang.machine import LAST, Machine
from clickbpf.lang.tokenizer import tokenize
from clickbpf.lang.tokens import Token, token

LOOK_AHEAD = 8  # the number of tokens that a repair is tried on
MAX_LEFT_OUT = 6
QUIET = 2  # another mistake within this many tokens is taken for a consequence of the first
IN_PORTS = ("LSQB", "PORT", "COMMA", "DASH", "RSQB")
MADE_UP = "?"  # the text of an inserted token; it can't be a name
MAX_NESTING = 50  # of braces and groups, as in Click


def parse(text: str, file: str = "config", sources: Sources | None = None, found: Diagnostics | None = None) -> ast.File:
    """The syntax tree of `text`, with `ast.Broken` for statements that have mistakes.

    The text's lines are added to `sources`; by default the tree gets its own.
    """
    sources = sources or Sources()
    with reporting(found, sources) as found:
        tokens = balance(tokenize(text, file, sources, found), found)
        statements = checks.check(_Parse(tokens, sources, found).run(), found)
    return ast.File(statements, sources)


class _Parse:
    def __init__(self, tokens: list[Token], sources: Sources, diagnostics: Diagnostics) -> None:
        self.tokens, self.sources, self.diagnostics = tokens, sources, diagnostics
        self.machine = Machine(Build())
        self.at = 0
        self.put_in: Token | None = None  # position: before the token at `at`
        self.before: Token | None = None  # the last token fed
        self.arrow: Token | None = None  # the last arrow, if only ports have followed it
        self.nesting = 0
        self.quiet_until = -1
        self.waiting: Damage | None = None  # damage of a statement that has not begun
        self.result: tuple[ast.Statement, ...] = ()

    def run(self) -> tuple[ast.Statement, ...]:
        while self.at < len(self.tokens):
            if self.put_in:
                made, self.put_in = self.put_in, None
                self.feed(made)
            elif self.meets_arrow(self.tokens[self.at]):
                self.at += 1  # the parser sees one arrow
            elif self.feed(self.tokens[self.at]):
                self.at += 1
            else:
                self.repair()
        return self.result

    def feed(self, t: Token) -> bool:
        """Take one token; False, without a change, if it can't come here."""
        if not self.machine.walk([t]):
            return False
        result = self.machine.feed(t)
        if t.type == LAST:
            self.result = result
        elif t.type in OPENS:
            self.nesting += 1
            if self.nesting > MAX_NESTING:
                self.diagnostics.error(t.place, f"more than {MAX_NESTING} levels of nesting")
                self.diagnostics.raise_if_errors(self.sources)
        elif t.type in CLOSES:
            self.nesting -= 1
        elif t.type == "SEMI":
            self.quiet_until = -1
        self.before = t
        if t.damaged:
            self.quiet_until = max(self.quiet_until, self.at + QUIET)
        if t.damaged or (self.waiting and t.type not in BEGINS_STATEMENT):
            self.note_damage()
        if t.type == "ARROW" or t.type not in IN_PORTS:
            self.arrow = t if t.type == "ARROW" else None
        return True

    def note_damage(
        self, left_out: Sequence[Token] = (), words: Collection[str] = (), nameless: bool = False, lacks_element: bool = False
    ) -> None:
        """Record a mistake in the statement being read, and the tokens that were removed from it."""
        stack = self.machine.values
        begun = self.has_begun()
        block = next((value for value in reversed(stack) if isinstance(value, Block)), None) if begun else None
        damage = (block.damage if block else None) or Damage()
        for each in filter(None, (Damage(set(words), nameless, lacks_element), self.waiting)):
            damage.words |= each.words
            damage.nameless |= each.nameless
            damage.lacks_element |= each.lacks_element
        for t in left_out:
            damage.words |= words_of(t.config.text) if t.config else {t.value}
            damage.nameless |= t.type in ("COLONCOLON", "COMMA") and (not begun or self.before.type != "IDENT")
        if block:
            block.damage, self.waiting = damage, None
        else:
            self.waiting = damage

    def has_begun(self) -> bool:
        """Whether the next token belongs to a statement of which some tokens have been fed."""
        if self.before is None or self.before.type in BEGINS_STATEMENT:
            return False
        here = self.tokens[min(self.at, len(self.tokens) - 1)]
        return self.before.type != "RBRACE" or here.type == "RBRACE" or here.place.line == self.before.place.line

    def meets_arrow(self, here: Token) -> bool:
        """Report an arrow that follows another one, perhaps after ports; returns whether it does."""
        if here.type != "ARROW" or not self.arrow:
            return False
        if self.at > self.quiet_until:
            self.diagnostics.error(
                here.place, f"no element between '{self.arrow.value}' and '{here.value}'",
                "name the element that stands between them, or leave out one of the arrows",
            )  # fmt: skip
        self.note_damage(lacks_element=True)
        return True

    # Repairs.

    def repair(self) -> None:
        """Report the mistake at the next token, and insert or remove tokens so that parsing can go on."""
        here = self.tokens[self.at]
        expected = self.expected()
        put_in, left_out = self.best_repair(expected)
        if self.at > self.quiet_until:
            place, message, hint = mistakes.explain(self.before, here, put_in, expected)
            self.diagnostics.error(place, message, hint, f"syntax error near '{'' if here.type == '$END' else here.value}'")
        if not put_in:
            self.note_damage(self.tokens[self.at : self.at + left_out])
            self.at += left_out
            self.quiet_until = self.at + QUIET
            return
        self.quiet_until = self.at + QUIET - 1
        if not mistakes.is_clear(self.before, put_in):
            self.note_damage(words={MADE_UP}, nameless=self.before is not None and self.before.type == "ELEMENTCLASS")
        self.put_in = token(put_in, "0" if put_in == "PORT" else MADE_UP, here.place, here.place, Config(""))

    def best_repair(self, expected: frozenset[str]) -> tuple[str | None, int]:
        """The kind of token to insert, or the number of tokens to remove."""
        best, best_score = (None, 1), -1.0
        for kind in sorted(mistakes.CAN_BE_PUT_IN & expected):
            made = token(kind, MADE_UP, self.tokens[self.at].place, self.tokens[self.at].place)
            score = self.survives([made], 0) - 1
            if score > 0 and mistakes.is_narrow(expected):
                score += 0.5 + mistakes.CAN_BE_PUT_IN_ORDER.index(kind) / 100
                if score > best_score:
                    best, best_score = (kind, 0), score
        line = self.tokens[self.at].place.line
        for n in range(1, MAX_LEFT_OUT + 1):
            gone = self.tokens[self.at : self.at + n]
            if any(t.type in ("$END", "SEMI", *OPENS, *CLOSES) or t.place.line != line for t in gone):
                break
            score = self.survives([], n) - n
            if score > best_score:
                best, best_score = (None, n), score
        return best

    def expected(self) -> frozenset[str]:
        """The kinds of token that can come next."""
        nowhere = ast.NOWHERE
        return frozenset(k for k in self.machine.kinds() if self.machine.walk([token(k, "", nowhere, nowhere)]))

    def survives(self, first: list[Token], left_out: int) -> int:
        """The number of tokens that can be parsed: those of `first`, then those after the `left_out` next ones."""
        begin = self.at + left_out
        return self.machine.walk(first + self.tokens[begin : begin + LOOK_AHEAD])

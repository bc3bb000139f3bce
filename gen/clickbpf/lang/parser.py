"""Tokens to syntax tree, reporting every mistake of the text in one run.

Lark's LALR tables do the parsing.  Where they know no way on, the smallest repair is looked for
that lets the tokens behind the mistake be parsed: a token put in, or a few left out.  The repair also
tells what the mistake was (mistakes.py).
"""

from __future__ import annotations

from lark import UnexpectedToken
from lark.parsers.lalr_analysis import Shift

from clickbpf.errors import Diagnostics, Place, Sources
from clickbpf.lang import ast, checks, grammar, mistakes
from clickbpf.lang.ast import Config
from clickbpf.lang.tokens import Token, token, tokenize

LOOK_AHEAD = 8  # tokens that a repair is tried on
MAX_LEFT_OUT = 6
QUIET = 2  # tokens after a mistake on which another one is taken for its consequence
MAX_NESTING = 50  # of braces and groups, as in Click

CLOSER = {"LBRACE": "RBRACE", "LPAR": "RPAR"}
TEXT = {"RBRACE": "}", "RPAR": ")"}


def parse(text: str, file: str = "config", sources: Sources | None = None) -> ast.File:
    """The syntax tree of `text`; raises one `ClickError` that holds all its mistakes.

    `sources` learns the lines of the text; by default the tree gets a registry of its own.
    """
    sources = sources or Sources()
    diagnostics = Diagnostics()
    tokens = tokenize(text, file, sources, diagnostics)
    parser = _Parse(tokens, sources, diagnostics)
    statements = parser.run()
    found = Diagnostics()
    checks.check(statements, found)
    diagnostics.extend(d for d in found if d.place not in parser.doubtful)
    diagnostics.raise_if_errors(sources)
    return ast.File(statements, sources)


class _Parse:
    def __init__(
        self, tokens: list[Token], sources: Sources, diagnostics: Diagnostics
    ) -> None:
        self.tokens, self.sources, self.diagnostics = tokens, sources, diagnostics
        self.parser = grammar.load().parse_interactive([])
        self.at = 0
        self.before: Token | None = None  # the last token fed
        self.open: list[Token] = []  # brackets not closed yet
        self.quiet_until = -1
        self.in_doubt = False  # since a mistake, up to the end of its statement or line
        self.doubtful: set[Place] = set()  # what stands there is not checked any further
        self.result: tuple[ast.Statement, ...] = ()

    def run(self) -> tuple[ast.Statement, ...]:
        while self.at < len(self.tokens):
            self.check_arrow()
            if self.feed(self.tokens[self.at]):
                self.at += 1
            elif not self.mend_brackets():
                self.repair()
        return self.result

    def feed(self, t: Token) -> bool:
        """Take one token; False, and nothing has changed, when it can't stand here."""
        state = self.parser.parser_state
        saved = state.state_stack[:], state.value_stack[:]
        try:
            result = self.parser.feed_token(t)
        except UnexpectedToken:
            state.state_stack, state.value_stack = saved
            return False
        if t.type == "$END":
            self.result = result
        elif t.type in CLOSER:
            self.open.append(t)
            if len(self.open) > MAX_NESTING:
                self.diagnostics.error(t.place, f"more than {MAX_NESTING} levels of nesting")
                self.diagnostics.raise_if_errors(self.sources)
        elif t.type in TEXT:
            self.open.pop()
        elif t.type == "SEMI":
            self.quiet_until = -1
        self.in_doubt &= t.type not in ("SEMI", *TEXT) and t.place.line == self.line()
        if self.in_doubt:
            self.doubtful.add(t.place)
        self.before = t
        return True

    def line(self) -> int:
        """The line of the last token."""
        return self.before.place.line if self.before else 1

    def check_arrow(self) -> None:
        """Two arrows may not meet, nor may they have only ports between them."""
        here = self.tokens[self.at]
        if here.type != "ARROW" or not self.at:
            return
        back = self.at - 1
        if self.tokens[back].type == "RSQB":
            while back and self.tokens[back].type != "LSQB":
                back -= 1
            back -= 1
        if back >= 0 and self.tokens[back].type == "ARROW" and not self.in_doubt:
            self.diagnostics.error(
                here.place, f"no element between '{self.tokens[back].value}' and '{here.value}'",
                "name the element that stands between them, or leave out one of the arrows",
            )  # fmt: skip
            # To the parser, and the checks on its tree, the two are one.
            del self.tokens[back + 1 : self.at + 1]
            self.at = back + 1

    # Repairs.

    def mend_brackets(self) -> bool:
        """Close what the next token shows to be never closed, and drop what closes nothing."""
        here = self.tokens[self.at]
        closers = [CLOSER[t.type] for t in self.open]
        if here.type in TEXT and here.type not in closers:
            self.diagnostics.error(here.place, *mistakes.closes_nothing(here))
            del self.tokens[self.at]
            return True
        if not self.open or here.type == closers[-1] or here.type not in (*TEXT, "$END"):
            return False
        missing = token(closers[-1], TEXT[closers[-1]], here.place, here.place)
        if not self.survives([missing], 0):
            return False  # something else is wrong before the bracket
        opening = self.open[-1]
        self.diagnostics.error(opening.place, *mistakes.never_closed(opening))
        return self.feed(missing)

    def repair(self) -> None:
        """Report the mistake at the next token, and change the tokens so that parsing goes on."""
        here = self.tokens[self.at]
        expected = self.expected()
        put_in, left_out = self.best_repair(expected)
        if self.at > self.quiet_until or put_in:
            place, message, hint = mistakes.explain(self.before, here, put_in, expected)
            self.diagnostics.error(place, message, hint)
        if put_in:
            text = "0" if put_in == "PORT" else "?"
            made = token(put_in, text, here.place, here.place, Config(""))
            self.tokens.insert(self.at, made)
        elif here.type == "$END":
            self.at += 1  # nothing helps; the mistake was reported
        else:
            del self.tokens[self.at : self.at + left_out]
        self.quiet_until = self.at + QUIET
        self.in_doubt = True
        if self.before:
            self.doubtful.add(self.before.place)

    def best_repair(self, expected: frozenset[str]) -> tuple[str | None, int]:
        """The kind of token to put in, or how many to leave out."""
        best, best_score = (None, 1), -1.0
        for kind in sorted(mistakes.CAN_BE_PUT_IN & expected):
            made = token(kind, "?", self.tokens[self.at].place, self.tokens[self.at].place)
            score = self.survives([made], 0) - 1
            if score > 0 and mistakes.is_narrow(expected):
                score += 0.5 + mistakes.CAN_BE_PUT_IN_ORDER.index(kind) / 100
                if score > best_score:
                    best, best_score = (kind, 0), score
        line = self.tokens[self.at].place.line
        for n in range(1, MAX_LEFT_OUT + 1):
            gone = self.tokens[self.at : self.at + n]
            if any(t.type in ("$END", "SEMI", *CLOSER, *TEXT) or t.place.line != line for t in gone):
                break
            score = self.survives([], n) - n
            if score > best_score:
                best, best_score = (None, n), score
        return best

    def expected(self) -> frozenset[str]:
        """The kinds of token that could stand next."""
        state = self.parser.parser_state
        kinds = (k for k in state.parse_conf.states[state.position] if k.isupper() or k == "$END")
        nowhere = ast.NOWHERE
        return frozenset(k for k in kinds if self.walk([token(k, "", nowhere, nowhere)]))

    def survives(self, first: list[Token], left_out: int) -> int:
        """How many of `first` and the tokens behind those left out can be parsed."""
        begin = self.at + left_out
        return self.walk(first + self.tokens[begin : begin + LOOK_AHEAD])

    def walk(self, tokens: list[Token]) -> int:
        """How many of `tokens` the tables accept from here on; the parser stays as it is."""
        state = self.parser.parser_state
        states, stack = state.parse_conf.states, state.state_stack[:]
        for accepted, t in enumerate(tokens):
            while True:
                action, arg = states[stack[-1]].get(t.type, (None, None))
                if action is None:
                    return accepted
                if action is Shift:
                    stack.append(arg)
                    break
                if arg.expansion:
                    del stack[-len(arg.expansion) :]
                stack.append(states[stack[-1]][arg.origin.name][1])
                if t.type == "$END" and stack[-1] == state.parse_conf.end_state:
                    return accepted + 1
        return len(tokens)

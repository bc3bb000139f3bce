"""The patterns of packet filters.

expr    orexpr | orexpr ? expr : expr
orexpr  term | term or orexpr
term    factor | factor and term | factor term
factor  not factor | ( expr ) | true | false | directive
"""

from clickbpf.declare import ArgError, Context
from clickbpf.classify import FALSE, TRUE, All, Choose, Expression, Not, Some

from ._ipdirective import Directive, read_directive
from ._ipmeaning import meaning
from ._ipwords import Words

#: The deepest nesting of parentheses and `?`.
DEPTH_MAX = 40

#: Patterns that match all packets.
EVERYTHING = ("-", "any", "all")


class Pattern:
    """Reads one pattern: its `expression`, and `errors` and `warnings`, each with its offset.

    With `families`, packets may be IPv6 (_ipfamilies.py).
    """

    def __init__(self, words: Words, context: Context, families: bool = False):
        self._words, self._context, self._families = words, context, families
        self._before: Directive | None = None
        self.errors: list[ArgError] = []
        self.warnings: list[ArgError] = []
        self.expression = FALSE
        try:
            self.expression = self._everything() or self._whole()
        except ArgError as error:
            self.errors.append(error)

    def _everything(self) -> Expression | None:
        if not self._words.left or (self._words.left == 1 and self._words.peek() in EVERYTHING):
            return TRUE
        return None

    def _whole(self) -> Expression:
        found = self._expression(0)
        if word := self._words.peek():
            hint = "a comma ends a rule or a pattern" if word == ";" else None
            raise ArgError(f"'{word}' has no place after a whole expression", hint, offset=word.at)
        return found

    def _expression(self, depth: int) -> Expression:
        if depth > DEPTH_MAX:
            raise ArgError("too many expressions within each other", offset=self._words.peek().at)
        choices = []
        found = self._alternatives(depth)
        while self._words.peek() == "?":
            question = self._words.take()
            choices.append((found, self._expression(depth + len(choices) + 1)))
            if not self._words.accept(":"):
                raise ArgError("missing ':' in ternary expression", "with spaces around it: 'A ? B : C'", offset=question.at)
            found = self._alternatives(depth + len(choices))
        for condition, then in reversed(choices):
            found = Choose(condition, then, found)
        return found

    def _alternatives(self, depth: int) -> Expression:
        parts = [self._term(depth)]
        while self._words.accept("or", "||"):
            parts.append(self._term(depth))
        return Some(*parts)

    def _term(self, depth: int) -> Expression:
        parts = [self._factor(depth)]
        while self._words.accept("and", "&&") or not self._at_end():
            parts.append(self._factor(depth))
        return All(*parts)

    def _at_end(self) -> bool:
        """Whether no factor can begin here."""
        return self._words.peek() in ("", ")", "or", "||", "?", ":", "]", ",", ";", "|")

    def _factor(self, depth: int) -> Expression:
        words, turned = self._words, False
        while words.peek() in ("not", "!"):
            operator, turned = words.take(), not turned
            if self._at_end():
                raise ArgError(f"missing expression after '{operator}'", offset=operator.at)
        opening = words.peek()
        if words.accept("("):
            found = self._expression(depth + 1)
            if not words.accept(")"):
                raise ArgError("missing ')'", f"'(' at character {opening.at + 1} is open", offset=words.peek().at)
        elif opening in ("true", "false"):
            found = TRUE if words.take() == "true" else FALSE
        else:
            found = self._directive()
        return Not(found) if turned else found

    def _directive(self) -> Expression:
        """Read a directive; if it makes no sense, record the error and continue after it."""
        said, qualified = read_directive(self._words, self._before, self._context)
        try:
            found = meaning(said, None if qualified else self._before, self._families)
        except ArgError as error:
            self.errors.append(error)
            return FALSE
        self.warnings += [ArgError(text, offset=said.word.at) for text in found.warnings]
        self._before = found.directive
        return found.expression

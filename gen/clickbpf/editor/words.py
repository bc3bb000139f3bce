"""The names in a text, and what they declare or refer to. Only tokens are needed for this, so mistakes elsewhere in the text don't
matter."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from clickbpf.errors import Diagnostics, Place, Sources
from clickbpf.frozen import frozen
from clickbpf.lang.tokenizer import tokenize
from clickbpf.lang.tokens import Token

Position = tuple[int, int]
ELEMENT, CLASS, VARIABLE = "element", "class", "variable"
_IN_CONFIG = re.compile(r"(?P<sign>\$?)(?P<name>[A-Za-z_@][A-Za-z0-9_@]*(?:/[A-Za-z0-9_@]+)*)")


@frozen
class Word:
    """A name in the text. `scope` is the compound around it, 0 for the file. `length` is its length in the text, including a `$`."""

    text: str
    at: Position
    scope: int
    length: int
    variable: bool = False
    argument: bool = False

    @property
    def end(self) -> Position:
        return self.at[0], self.at[1] + self.length


@frozen
class Symbol:
    """A declaration by a word: of an element with its class ("" for an anonymous compound), a class, or a variable."""

    name: str
    kind: str
    word: Word
    class_name: str = ""


@frozen
class Scope:
    """The positions of a compound's braces, and the scope around it."""

    parent: int
    begin: Position
    end: Position


@dataclass
class Words:
    """The words of a text, and their declarations by (scope, kind, name)."""

    words: list[Word] = field(default_factory=list)
    symbols: dict[tuple[int, str, str], Symbol] = field(default_factory=dict)
    scopes: list[Scope] = field(default_factory=list)

    def at(self, position: Position) -> Word | None:
        """The word at a position, or directly before it."""
        near = [word for word in self.words if word.at <= position <= word.end]
        return max(near, key=lambda word: word.at, default=None)

    def scope_at(self, position: Position) -> int:
        """The innermost scope around a position."""
        inside = (number for number, scope in enumerate(self.scopes) if scope.begin <= position < scope.end)
        return max(inside, key=lambda number: self.scopes[number].begin, default=0)

    def visible(self, scope: int) -> Iterator[Symbol]:
        """The declarations visible in a scope, innermost scopes first."""
        for each in self._outwards(scope):
            yield from (symbol for (where, _, _), symbol in self.symbols.items() if where == each)

    def meaning(self, word: Word) -> Symbol | None:
        """The declaration that a word is or refers to; None if this text doesn't declare the name."""
        kinds = (VARIABLE,) if word.variable else (ELEMENT,) if word.argument else (ELEMENT, CLASS)
        for scope in self._outwards(word.scope):
            for kind in kinds:
                if (scope, kind, word.text) in self.symbols:
                    return self.symbols[scope, kind, word.text]
        return None

    def references(self, symbol: Symbol) -> list[Word]:
        """All words that refer to a declaration, including the declaration itself."""
        return [word for word in self.words if word.text == symbol.name and self.meaning(word) == symbol]

    def _outwards(self, scope: int) -> Iterator[int]:
        while scope:
            yield scope
            scope = self.scopes[scope].parent
        yield 0


def words(text: str, file: str = "config") -> Words:
    """The words of a text."""
    tokens = [token for token in tokenize(text, file, Sources(), Diagnostics()) if token.place.file == file]
    return _Reader(tokens).read()


def position(place: Place) -> Position:
    return place.line - 1, place.column - 1


class _Reader:
    def __init__(self, tokens: Sequence[Token]):
        self.tokens = tokens
        end = position(tokens[-1].end) if tokens else (0, 0)
        self.found = Words(scopes=[Scope(0, (0, 0), (end[0] + 1, 0))])
        self.open = [0]
        #: The end of the last list of names (a, b :: C), as a token number.
        self._listed = 0

    def read(self) -> Words:
        for number, token in enumerate(self.tokens):
            if token.type == "LBRACE":
                begin = position(token.place)
                self.found.scopes.append(Scope(self.open[-1], begin, self.found.scopes[0].end))
                self.open.append(len(self.found.scopes) - 1)
            elif token.type == "RBRACE" and len(self.open) > 1:
                closed = self.open.pop()
                scope = self.found.scopes[closed]
                self.found.scopes[closed] = Scope(scope.parent, scope.begin, position(token.end))
            elif token.type == "IDENT":
                self._ident(number, token)
            elif token.type == "VARIABLE":
                self._declare(VARIABLE, self._word(token.value, position(token.place), variable=True))
            elif token.type == "CONFIG" and token.config is not None:
                self._config(token, defines=self._type(number - 1) == "DEFINE")
        return self.found

    def _type(self, number: int) -> str:
        return self.tokens[number].type if 0 <= number < len(self.tokens) else ""

    def _word(self, text: str, at: Position, **more: bool) -> Word:
        word = Word(text, at, self.open[-1], len(text) + more.get("variable", False), **more)
        self.found.words.append(word)
        return word

    def _ident(self, number: int, token: Token) -> None:
        word = self._word(str(token), position(token.place))
        if self._type(number - 1) == "ELEMENTCLASS":
            self._declare(CLASS, word)
            return
        colons = self._listed = max(number + 1, self._listed)
        while self._type(colons) == "COMMA" and self._type(colons + 1) == "IDENT":
            colons = self._listed = colons + 2  # a, b :: C declares both
        if self._type(colons) == "COLONCOLON" and self._type(number - 1) != "COLONCOLON":
            after = colons + 1
            self._declare(ELEMENT, word, str(self.tokens[after]) if self._type(after) == "IDENT" else "")

    def _declare(self, kind: str, word: Word, class_name: str = "") -> None:
        self.found.symbols.setdefault((word.scope, kind, word.text), Symbol(word.text, kind, word, class_name))

    def _config(self, token: Token, defines: bool) -> None:
        """Read names in arguments: those of elements and variables; `define(...)` declares variables."""
        text, ended = token.config.text, 0
        found = list(_IN_CONFIG.finditer(text))
        for match, place in zip(found, token.config.places_of(match.start() for match in found)):
            variable, at = bool(match["sign"]), position(place)
            word = self._word(match["name"], at, variable=variable, argument=not variable)
            between, ended = text[ended : match.start()].rstrip(), match.end()
            if variable and defines and (between.endswith(",") or (not between and match is found[0])):
                self._declare(VARIABLE, word)

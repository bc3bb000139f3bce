"""Formats texts: the spaces between tokens, and the indentation of lines.

Line breaks, comments and arguments stay, and at most one empty line between others. A line is indented by a tab for each brace or
parenthesis around it, and by one more if it continues a statement. Lines within arguments aren't moved, since handlers show them.
"""

import re

from clickbpf.errors import Diagnostics, Sources
from clickbpf.lang.landmarks import NEWLINE
from clickbpf.lang.load import parse_source
from clickbpf.lang.tokenizer import tokenize
from clickbpf.lang.tokens import Token

INDENT = "\t"
_OPENS, _CLOSES = ("LBRACE", "LPAR"), ("RBRACE", "RPAR")
#: A piece of the text between two tokens: comment, line directive (or `#!`) at the beginning of a line, line end, other space.
_BETWEEN = re.compile(r"//[^\n\r]*|/\*.*?(?:\*/|(?=\s*\Z))|(?<![^\n\r])\#[^\n\r]*|\r\n|\n|\r|[ \t\v\f]+", re.DOTALL)
#: Kinds of token with which an element, its arguments and output ports can end, and the kinds after each that begin a statement.
_BEGIN = ("IDENT", "ELEMENTCLASS", "REQUIRE", "PROVIDE", "DEFINE")
_AFTER = {"IDENT": _BEGIN, "RSQB": _BEGIN[1:], "CONFIG": (*_BEGIN, "LBRACE"), "RBRACE": (*_BEGIN, "LBRACE"), "RPAR": (*_BEGIN, "LBRACE")}


def formatted(text: str, file: str = "config") -> str:
    """The formatted text, whose meaning is the same. ClickError if the text has mistakes."""
    parse_source(text, file)
    return _Formatter(text).run()


class _Formatter:
    def __init__(self, text: str):
        self.text = text
        self.newline = found[0] if (found := NEWLINE.search(text)) else "\n"
        self.parts: list[str] = []
        #: The depth of the line that is being written, and of lines within the braces that are open.
        self.depth, self.inner = 0, [0]
        #: Line ends since the last token or comment, and the space after that.
        self.lines, self.space = 0, ""
        self.before: Token | None = None
        #: Whether the element being written has input ports before it; then its output ports are set off by a space, too.
        self.with_inputs = False
        self.in_ports = self.after_comment = False

    def run(self) -> str:
        done = 0
        for token in tokenize(self.text, "config", Sources(), Diagnostics()):
            self._between(self.text[done : token.offset], token)
            done = token.offset + self._length(token)
            if token.type != "$END":
                self._token(token, self.text[token.offset : done])
        return "".join(self.parts) + (self.newline if self.parts else "")

    @staticmethod
    def _length(token: Token) -> int:
        if token.config is not None:
            return len(token.config.text) + 2
        return len(token.value) + (token.type == "VARIABLE")

    # -- what is between tokens ----------------------------------------------------------------------------------------

    def _between(self, text: str, following: Token) -> None:
        for piece in _BETWEEN.findall(text):
            if NEWLINE.fullmatch(piece):
                self.lines, self.space = self.lines + 1, ""
            elif piece.isspace():
                self.space = piece
            else:
                self._comment(piece, following)

    def _comment(self, text: str, following: Token) -> None:
        if text.startswith("#"):
            self._begin_line(0)
        elif self.lines or not self.parts:
            self._begin_line(self._depth_before(following, comment=True))
        else:
            self.parts.append(self.space or " ")
        self.parts.append(text.rstrip())
        self.space, self.after_comment = "", True

    def _begin_line(self, depth: int) -> None:
        if self.parts:
            self.parts.append(self.newline * min(self.lines, 2))
        self.parts.append(INDENT * depth)
        self.lines, self.depth = 0, depth

    def _depth_before(self, token: Token, comment: bool = False) -> int:
        """The depth of a line that begins with the token, or of a comment before such a line."""
        if not comment and (token.type in _CLOSES or token.type == "BARBAR"):
            return self.inner[-1] - 1
        return self.inner[-1] + (not self._begins_statement(token))

    def _begins_statement(self, token: Token) -> bool:
        before = self.before.type if self.before else "SEMI"
        if before in ("SEMI", "BAR", "BARBAR", *_OPENS) or token.type in ("SEMI", "BARBAR", "DOTS", "$END", *_CLOSES):
            return True
        return token.type in _AFTER.get(before, ())

    # -- tokens -----------------------------------------------------------------------------------------------------------

    def _token(self, token: Token, text: str) -> None:
        if self.lines or not self.parts:
            self._begin_line(self._depth_before(token))
        elif self.after_comment or (self.before.type == "SEMI" and token.type != "RPAR"):  # space between statements stays
            self.parts.append(self.space or " ")
        elif self._is_apart(token):
            self.parts.append(" ")
        self.parts.append(text)
        if token.type in ("ARROW", "SEMI", *_OPENS, *_CLOSES) or (token.type == "COMMA" and not self.in_ports):
            self.with_inputs = False
        elif token.type == "LSQB":
            self.with_inputs = self.before is None or self.before.type not in _AFTER
        self.in_ports = token.type == "LSQB" or (self.in_ports and token.type != "RSQB")
        if token.type in _OPENS:
            self.inner.append(self.depth + 1)
        elif token.type in _CLOSES:
            self.inner.pop()
        self.before, self.space, self.after_comment = token, "", False

    def _is_apart(self, token: Token) -> bool:
        """Whether there is a space between the last token and this one."""
        before = self.before.type
        if self.in_ports:
            return before == "COMMA" and token.type != "RSQB"
        if token.type in ("SEMI", "COMMA", "CONFIG", "RPAR") or before == "LPAR":
            return False
        if token.type == "LSQB":
            return before not in _AFTER or self.with_inputs
        return (before, token.type) != ("LBRACE", "RBRACE")

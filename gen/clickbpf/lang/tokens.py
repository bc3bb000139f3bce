"""The tokens of configurations."""

from clickbpf.errors import Place
from clickbpf.lang.ast import Config

KEYWORDS = {
    "elementclass": "ELEMENTCLASS",
    "require": "REQUIRE",
    "provide": "PROVIDE",
    "define": "DEFINE",
}
PUNCTUATION = {
    "->": "ARROW", "=>": "ARROW", "::": "COLONCOLON", "||": "BARBAR", "...": "DOTS", "|": "BAR",
    ",": "COMMA", ";": "SEMI", "-": "DASH", "(": "LPAR", ")": "RPAR", "{": "LBRACE", "}": "RBRACE",
    "[": "LSQB", "]": "RSQB",
}  # fmt: skip


class Token(str):
    """A token: its text (also `value`), its kind (`type`), the places of its first character and after its last, and its offset.

    CONFIG tokens also have the configuration string.  A `damaged` token is at a mistake that makes its statement's meaning uncertain;
    a `stray` one is a bracket that closes nothing.
    """

    type: str
    value: str
    place: Place
    end: Place
    offset: int = 0
    config: Config | None = None
    damaged: bool = False
    stray: bool = False


def token(kind: str, text: str, place: Place, end: Place, config: Config | None = None) -> Token:
    made = Token(text)
    made.type, made.value, made.place, made.end, made.config = kind, text, place, end, config
    return made

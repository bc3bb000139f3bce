"""Messages and hints for syntax mistakes."""

from clickbpf.errors import Place
from clickbpf.lang.tokens import Token

Advice = tuple[str, "str | None"]

# Tokens that a repair may insert; if several fit, the last is preferred.
CAN_BE_PUT_IN_ORDER = ("PORT", "VARIABLE", "CONFIG", "COMMA", "BAR", "IDENT", "RSQB")
CAN_BE_PUT_IN = frozenset(CAN_BE_PUT_IN_ORDER)

_DECLARATION = "an element is declared as 'name :: Class(arguments)'"
_PORTS = "ports are written as [0], [0,1] or [0-2]"
_COMPOUND = "a compound element is written as '{ $parameter, ... | statements }'"
_LONE = {
    "RSQB": ("']' without '['", _PORTS),
    "COLONCOLON": ("unexpected '::'", _DECLARATION),
    "COMMA": ("unexpected ','", "commas stand between the elements of a list"),
    "BAR": ("unexpected '|'", f"'|' ends the parameters of a compound element; {_COMPOUND}"),
    "BARBAR": ("unexpected '||'", "'||' separates the definitions inside of '{ }'"),
    "DOTS": ("unexpected '...'", "'...' stands last in a compound element: '{ ... || ... }'"),
    "CONFIG": ("unexpected configuration string", "it belongs after a class: 'Class(arguments)'"),
    "KEYWORD": ("unexpected parameter", _COMPOUND),
}  # fmt: skip


def is_narrow(expected: frozenset[str]) -> bool:
    """Whether so few kinds of token can come next that one of them is probably missing."""
    return len(expected) <= 4


def is_clear(before: Token | None, put_in: str) -> bool:
    """Whether the statement's meaning is clear in spite of the missing token."""
    return put_in == "RSQB" and before is not None and before.type == "PORT"


def closes_nothing(t: Token) -> Advice:
    opening = {"}": "{", ")": "("}[t.value]
    return f"'{t.value}' without '{opening}'", f"leave it out, or open with '{opening}' before"


def never_closed(opening: Token) -> Advice:
    closing = {"{": "}", "(": ")"}[opening.value]
    what = "compound element" if opening.value == "{" else "element group"
    return f"'{opening.value}' is never closed", f"end the {what} with '{closing}'"


def never_opened(name: Token) -> Advice:
    return f"missing '{{' after '{name.value}'", _COMPOUND


def explain(before: Token | None, here: Token, put_in: str | None, expected: frozenset[str]) -> tuple[Place, str, str | None]:
    """Place, message and hint for a mistake that was repaired by inserting `put_in`, or by removing `here`."""
    if put_in and before:
        return (before.end, *_missing(before, here, put_in))
    if put_in:
        return (here.place, f"missing {_KIND.get(put_in, put_in)} before {shown(here)}", None)
    return (here.place, *_unexpected(here, expected))


def _missing(before: Token, here: Token, put_in: str) -> Advice:
    match before.type, put_in:
        case "COLONCOLON", _:
            return "missing element class after '::'", _DECLARATION
        case "ELEMENTCLASS", _:
            return "missing name after 'elementclass'", "write elementclass NAME { ... }"
        case "REQUIRE" | "PROVIDE" | "DEFINE", _:
            return f"missing '(' after '{before.value}'", f"write {before.value}(...)"
        case "LSQB" | "PORT" | "COMMA" | "DASH", "RSQB":
            return f"missing ']' before {shown(here)}", _PORTS
        case _, "PORT":
            return "missing port number", _PORTS
        case "KEYWORD", "VARIABLE":
            return f"missing variable after '{before.value}'", _COMPOUND
        case _, "BAR":
            return "missing '|' after the parameters", _COMPOUND
        case "IDENT", "IDENT":
            return (
                f"missing definition of element class '{before.value}'",
                f"write 'elementclass {before.value} {{ ... }}' or 'elementclass {before.value} OTHER'",
            )
    return f"missing {_KIND.get(put_in, put_in)} before {shown(here)}", None


def _unexpected(here: Token, expected: frozenset[str]) -> Advice:
    if here.type in _LONE:
        return _LONE[here.type]
    if here.type == "VARIABLE":
        return (
            f"'${here.value}' can't stand here",
            f"variables stand in parentheses, and before '|': {_COMPOUND}",
        )
    if here.type in ("ELEMENTCLASS", "REQUIRE", "PROVIDE", "DEFINE"):
        return f"unexpected '{here.value}'", f"'{here.value}' is a keyword, it can't be a name"
    named = sorted(_KIND[kind] for kind in expected if kind in _KIND)
    return f"unexpected {shown(here)}", f"expected {', '.join(named)}" if named else None


_KIND = {
    "IDENT": "a name", "PORT": "a port number", "VARIABLE": "a variable", "CONFIG": "'('",
    "COMMA": "','", "BAR": "'|'", "RSQB": "']'", "RBRACE": "'}'", "RPAR": "')'", "LBRACE": "'{'",
    "DASH": "'-'", "ARROW": "'->'", "SEMI": "';'", "COLONCOLON": "'::'",
}  # fmt: skip


def shown(t: Token) -> str:
    """A token as shown to users."""
    if t.type == "$END":
        return "end of file"
    return f"'${t.value}'" if t.type == "VARIABLE" else f"'{t.value}'"

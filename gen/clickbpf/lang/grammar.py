"""The parser that Lark makes of grammar.lark."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark
from lark.lexer import Lexer

from clickbpf.lang.build import Build


class _Given(Lexer):
    """Tokens are made by tokens.py and fed to the parser one by one."""

    def __init__(self, lexer_conf) -> None:
        pass

    def lex(self, data):
        return iter(data)


@cache
def load() -> Lark:
    return Lark(
        Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer=_Given,
        transformer=Build(),
        maybe_placeholders=True,
    )

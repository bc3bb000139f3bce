"""Formats each statement of a text like `clickbpf pretty`. Text between statements, such as comments and empty lines, and statements with
comments stay as they are."""

import re
from collections.abc import Iterator
from dataclasses import replace

from clickbpf.errors import ClickError, Diagnostics, Sources
from clickbpf.lang.load import parse_source
from clickbpf.lang.tokenizer import tokenize
from clickbpf.lang.unparse import unparse

_LINE_END = re.compile(r"\r\n|\n|\r")


def formatted(text: str) -> str | None:
    """The formatted text; None if the text has mistakes, or if formatting would change its meaning."""
    try:
        tree = parse_source(text)
        parts, done = [], 0
        for begin, end in _statements(text):
            parts += [text[done:begin], _statement(text[begin:end])]
            done = end
        made = "".join((*parts, text[done:]))
        return made if replace(parse_source(made), text="") == replace(tree, text="") else None
    except ClickError:
        return None


def _statement(text: str) -> str:
    if "//" in text or "/*" in text:
        return text
    return unparse(parse_source(text)).rstrip("\n")


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """The ranges of statements that end with a semicolon and are outside of compounds."""
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    depth, begin = 0, None
    for token in tokenize(text, "config", Sources(), Diagnostics()):
        if token.place.file != "config":
            return
        begin = starts[token.place.line - 1] + token.place.column - 1 if begin is None else begin
        depth += {"LBRACE": 1, "LPAR": 1, "RBRACE": -1, "RPAR": -1}.get(token.type, 0)
        if token.type == "SEMI" and not depth:
            yield begin, starts[token.end.line - 1] + token.end.column - 1
            begin = None

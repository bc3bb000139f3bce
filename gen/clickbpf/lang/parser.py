"""Tokens to syntax tree, reporting every mistake of the text in one run."""

from __future__ import annotations

from lark import UnexpectedToken

from clickbpf.errors import Diagnostics, Sources
from clickbpf.lang import ast, grammar
from clickbpf.lang.tokens import tokenize


def parse(text: str, file: str = "config", sources: Sources | None = None) -> ast.File:
    """The syntax tree of `text`; raises one `ClickError` that holds all its mistakes."""
    sources = sources or Sources()
    diagnostics = Diagnostics()
    tokens = tokenize(text, file, sources, diagnostics)
    diagnostics.raise_if_errors(sources)
    parser = grammar.load().parse_interactive([])
    result = None
    for t in tokens:
        try:
            result = parser.feed_token(t)
        except UnexpectedToken:
            diagnostics.error(t.place, f"unexpected '{t.value}'")
            diagnostics.raise_if_errors(sources)
    return ast.File(result, sources)

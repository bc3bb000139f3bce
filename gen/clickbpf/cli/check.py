"""Check a configuration and report everything that is wrong with it."""

from __future__ import annotations

import argparse

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, check_router, no_more_words, words
from clickbpf.cli.output import print_json
from clickbpf.errors import ClickError, Diagnostic


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    no_more_words(words(options))
    if not options.json:
        check_router(options)
        return 0
    options.no_warnings = True
    try:
        found = check_router(options).warnings
    except ClickError as error:
        found = error.diagnostics
    print_json([_plain(diagnostic) for diagnostic in found])
    return int(any(diagnostic.severity == "error" for diagnostic in found))


def _plain(diagnostic: Diagnostic) -> dict:
    place = diagnostic.place
    where = {"file": place.file, "line": place.line, "column": place.column} if place else {}
    return {"severity": diagnostic.severity, "message": diagnostic.message, "hint": diagnostic.hint, **where}

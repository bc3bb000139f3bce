"""Check configurations and report everything that is wrong with them."""

from __future__ import annotations

import argparse
from pathlib import Path

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, check_router, no_more_words, words
from clickbpf.cli.output import print_json
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.messages import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    found: list[Diagnostic] = []
    for one in _each(options):
        one.no_warnings = options.no_warnings or options.json
        try:
            found += check_router(one).warnings
        except ClickError as error:
            if not options.json:
                show(error.diagnostics, error.sources)
            found += error.diagnostics
    if options.json:
        print_json([_plain(diagnostic) for diagnostic in found])
    return int(any(diagnostic.severity == "error" for diagnostic in found))


def _each(options: argparse.Namespace) -> list[argparse.Namespace]:
    """The options for each of the files that are given; a text or file of an option's stands alone."""
    given = words(options)
    alone = options.file is not None or options.expression is not None
    if alone or not all(Path(name).is_file() for name in given.names):
        no_more_words(given)
    if not given.names:
        return [options]
    values = [f"{name}={value}" for name, value in given.assignments.items()]
    return [argparse.Namespace(**{**vars(options), "words": [file, *values]}) for file in (given.file, *given.names)]


def _plain(diagnostic: Diagnostic) -> dict:
    place = diagnostic.place
    where = {"file": place.file, "line": place.line, "column": place.column} if place else {}
    return {"severity": diagnostic.severity, "message": diagnostic.message, "hint": diagnostic.hint, **where}

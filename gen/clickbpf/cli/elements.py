"""List the element classes, or those whose name or summary contains a word."""

import argparse
from typing import Any

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_library, library
from clickbpf.cli.output import print_json, print_table
from clickbpf.errors import ClickError
from clickbpf.nearest import did_you_mean
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.manual import summary

#: In order of preference.
EXECUTORS = ("xdp", "tc", "user")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("word", nargs="?", default="", help="part of names or summaries, in capitals or not (default: all classes)")
    add_library(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    known = library(options)
    word, classes = options.word.casefold(), (known.find(name) for name in known.names())
    classes = [c for c in classes if word in f"{c.class_name()} {summary(c)}".casefold()]
    if not classes and not options.json:
        raise ClickError(f"no class has '{options.word}' in its name or summary", hint=did_you_mean(options.word, known.names()))
    if options.json:
        print_json([_described(c) for c in classes])
        return
    rows = ((c.class_name(), _ports(c), " ".join(_executors(c)), summary(c)) for c in classes)
    print_table(("class", "ports", "runs", "summary"), rows)


def _described(c: type[Element]) -> dict[str, Any]:
    return {
        "name": c.class_name(),
        "aliases": list(c.aliases),
        "summary": summary(c),
        "ports": _ports(c),
        "runs": _executors(c),
    }


def _ports(c: type[Element]) -> str:
    """The port count; `?` for a class that decides it for each element."""
    return c.ports if isinstance(c.ports, str) else "?"


def _executors(c: type[Element]) -> list[str]:
    """Where elements of the class can run; `?` if that depends on their arguments."""
    return [where for where in EXECUTORS if where in c.runs] if isinstance(c.runs, frozenset) else ["?"]

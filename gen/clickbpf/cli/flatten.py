"""Print a configuration with its compound elements expanded."""

from __future__ import annotations

import argparse

from clickbpf.cli.options import add_input, add_json, library, no_more_words, read_router, words
from clickbpf.cli.output import print_json, write_text
from clickbpf.graph.router import Router
from clickbpf.lang.unparse import unparse_router

NAME = "flatten"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_json(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of standard output")


def run(options: argparse.Namespace) -> None:
    no_more_words(words(options))
    router = read_router(options, library(options))
    if options.json:
        print_json(_plain(router))
    else:
        write_text(unparse_router(router), options.output)


def _plain(router: Router) -> dict:
    return {
        "elements": [
            {"name": e.name, "class": e.class_name, "config": e.config, "place": str(e.place or "")} for e in router.elements
        ],
        "connections": [
            {"from": c.source.element, "output": c.source.port, "to": c.target.element, "input": c.target.port} for c in router.connections
        ],
        "requirements": [list(requirement) for requirement in router.requirements],
    }

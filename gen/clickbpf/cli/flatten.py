"""Print a configuration with its compound elements expanded."""

import argparse
from collections.abc import Iterable

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, no_more_words, read_router, words
from clickbpf.cli.output import print_json, write_text
from clickbpf.graph.router import Router
from clickbpf.graph.unparse import unparse_router
from clickbpf.passes.order import as_written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_json(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("-c", "--classes", action="store_true", help="print the names of the classes instead")
    what.add_argument("-n", "--names", action="store_true", help="print the names of the elements instead")
    what.add_argument("-d", "--declarations", action="store_true", help="print the elements and their classes instead")
    parser.add_argument("--config", action="store_true", help="print the configuration only (the default)")
    parser.add_argument("--expand-vars", action="store_true", help="replace variables of the file by their values (always done)")
    parser.add_argument("-o", "--output", metavar="FILE", help="write to FILE instead of standard output")


def run(options: argparse.Namespace) -> None:
    """Undeclared names are taken for element classes."""
    no_more_words(words(options))
    router = read_router(options)
    if options.json:
        print_json(_plain(router))
    else:
        write_text(_text(router, options), options.output)


def _text(router: Router, options: argparse.Namespace) -> str:
    if options.classes:
        return _lines({element.class_name for element in router.elements})
    if options.names:
        return _lines(element.name for element in router.elements)
    if options.declarations:
        return _lines(f"{element.name} :: {element.class_name}" for element in router.elements)
    return unparse_router(as_written(router))


def _lines(lines: Iterable[str]) -> str:
    """Lists are sorted, as in Click."""
    return "".join(f"{line}\n" for line in sorted(lines))


def _plain(router: Router) -> dict:
    return {
        "elements": [{"name": e.name, "class": e.class_name, "config": e.config, "place": str(e.place or "")} for e in router.elements],
        "connections": [
            {"from": c.source.element, "output": c.source.port, "to": c.target.element, "input": c.target.port} for c in router.connections
        ],
        "requirements": [list(requirement) for requirement in router.requirements],
    }

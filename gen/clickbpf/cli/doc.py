"""Show the manual page of an element class."""

import argparse

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_library, library
from clickbpf.cli.output import print_json
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.manual import manual, page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="CLASS", help="an element class, by name or alias")
    add_library(parser)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    found = library(options).find(options.name)
    if options.json:
        print_json(_plain(found))
        return
    print(manual(found))


def _plain(found: type[Element]) -> dict:
    return {
        "name": found.class_name(),
        "aliases": list(found.aliases),
        "doc": page(found),
        "arguments": [{"name": argument.name, "type": type(argument.type).__name__} for argument in found.args],
        "handlers": [
            {"name": name, "read": handler.read is not None, "write": handler.write is not None, "doc": handler.doc}
            for name, handler in sorted(found.handlers().items())
        ],
    }

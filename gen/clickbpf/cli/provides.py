"""Report whether element classes and features are available (click-buildtool provides)."""

import argparse

from clickbpf.cli.options import add_library, library
from clickbpf.graph.provisions import features
from clickbpf.vocabulary.library import Library


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="an element class, or a feature such as userlevel or umultithread")
    parser.add_argument("-q", "--query", action="store_true", help="print all that is provided")
    parser.add_argument("-l", "--print", action="store_true", help="print 1 if all are provided, and 0 if not")
    parser.add_argument("-r", "--provide", metavar="NAME", action="append", default=[], help="treat NAME as provided")
    add_library(parser)


def run(options: argparse.Namespace) -> int:
    """Exit status 0 if everything named is provided, 1 if not."""
    known = library(options)
    given = features() | {name for names in options.provide for name in names.split()}
    if options.query:
        print("\n".join(sorted({*given, *known.names()})))
    missing = [name for names in options.names for name in names.split() if not provided(name, known, given)]
    if options.print:
        print(int(not missing))
    return int(bool(missing))


def provided(name: str, known: Library, given: frozenset[str]) -> bool:
    """Whether a name is provided; `a|b` is if a or b is."""
    return any(word in given or word in known for word in name.split("|"))

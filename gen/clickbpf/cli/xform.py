"""Replace parts of a configuration that match patterns (click-xform)."""

import argparse

from clickbpf.cli.options import add_input, read_router, words
from clickbpf.cli.tools import add_output, write_router
from clickbpf.errors import Diagnostic
from clickbpf.messages import show
from clickbpf.passes.patterns import read_patterns
from clickbpf.passes.xform import transform


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "PATTERNS")
    parser.add_argument("-p", "--patterns", metavar="FILE", action="append", default=[], help="a file of patterns (may be repeated)")
    parser.add_argument("-r", "--reverse", action="store_true", help="apply the patterns backwards: replace replacements with patterns")
    add_output(parser)


def run(options: argparse.Namespace) -> None:
    patterns = [pattern for path in (*options.patterns, *words(options).names) for pattern in read_patterns(path)]
    if not patterns:
        show([Diagnostic(None, "no patterns read", severity="warning")])
    if options.reverse:
        patterns = [pattern.reversed() for pattern in patterns]
    write_router(transform(read_router(options), patterns), options)

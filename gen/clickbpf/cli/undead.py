"""Remove the elements that no packet reaches, or that do nothing (click-undead)."""

import argparse
import sys

from clickbpf.cli.options import add_input, library, no_more_words, read_router, words
from clickbpf.cli.tools import add_output, add_unused, warn_of_unknown, write_router
from clickbpf.passes import UNDEAD, apply
from clickbpf.passes.order import as_written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_output(parser)
    add_unused(parser, "-k", "--kernel")
    add_unused(parser, "-u", "--user")
    parser.add_argument("-V", "--verbose", action="store_true", help="report what is removed")


def run(options: argparse.Namespace) -> None:
    no_more_words(words(options))
    known = library(options)
    router = read_router(options)
    warn_of_unknown(router, known)
    left = apply(UNDEAD, router, known)
    if options.verbose:
        for element in router.elements:
            if element.name not in left:
                sys.stderr.write(f"{element.place}: removing '{element.name} :: {element.class_name}'\n")
    if not left.elements:
        sys.stderr.write("warning: no live elements in configuration\n")
    write_router(as_written(left), options)

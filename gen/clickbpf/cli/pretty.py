"""Print a configuration in its canonical form, compound elements kept."""

from __future__ import annotations

import argparse

from clickbpf.cli.options import words
from clickbpf.cli.output import write_text
from clickbpf.lang.load import parse_file, parse_source
from clickbpf.lang.unparse import unparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-e", "--expression", metavar="TEXT", help="the configuration itself, instead of a file")
    parser.add_argument("-f", "--file", metavar="FILE", help="the configuration's file; '-' is standard input")
    parser.add_argument("words", nargs="*", metavar="FILE", help="the configuration's file if not given by -f or -e")
    parser.add_argument("-o", "--output", metavar="FILE", help="write there instead of standard output")


def run(options: argparse.Namespace) -> None:
    if options.expression is not None:
        tree = parse_source(options.expression, "<expression>")
    else:
        tree = parse_file(options.file or words(options).file or "-")
    write_text(unparse(tree), options.output)

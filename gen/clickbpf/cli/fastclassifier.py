"""Combine consecutive Classifiers into one (click-fastclassifier).

The result is an ordinary configuration. Click's tool generates classes; here the compiler turns every Classifier into code anyway.
"""

import argparse

from clickbpf.cli.options import add_input, library, no_more_words, read_router, words
from clickbpf.cli.tools import add_output, add_unused, write_router
from clickbpf.passes.classifiers import combine_classifiers
from clickbpf.passes.order import as_written


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_output(parser)
    parser.add_argument("--no-combine", action="store_true", help="don't combine consecutive Classifiers")
    for names in (("--no-classes",), ("-k", "--kernel"), ("-u", "--user"), ("-s", "--source"), ("-q", "--quiet"), ("-r", "--reverse")):
        add_unused(parser, *names)


def run(options: argparse.Namespace) -> None:
    no_more_words(words(options))
    router = read_router(options)
    write_router(as_written(router if options.no_combine else combine_classifiers(router, library(options))), options)

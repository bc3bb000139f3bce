"""Write to a handler of a loaded router."""

from __future__ import annotations

import argparse
import sys

from clickbpf.cli.read import add_router

NAME = "write"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_router(parser)
    parser.add_argument("handler", metavar="[ELEMENT.]HANDLER", help="such as c.reset_counts")
    parser.add_argument("value", nargs="*", help="the text to write; '-' is standard input")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.direct import Access
    from clickbpf.load.listing import choose

    value = sys.stdin.read() if options.value == ["-"] else " ".join(options.value)
    Access(choose(options.router)).write(options.handler, value)

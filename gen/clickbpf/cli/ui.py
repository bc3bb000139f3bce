"""Show running routers and configurations in a browser: live graphs, handlers, an editor."""

import argparse

from clickbpf.cli.flags import endpoint
from clickbpf.cli.options import Words, add_library
from clickbpf.cli.output import pip
from clickbpf.errors import ClickError

WORDS = "names of loaded routers, files, and values for the files (default: all routers that are loaded at the time)"
WRITE = "let the page write handlers, replace routers, and save the files named here (default: it only shows them)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME|FILE|VAR=VALUE", nargs="*", help=WORDS)
    parser.add_argument("--write", action="store_true", help=WRITE)
    listen = "where browsers connect (default: a free port of 127.0.0.1)"
    parser.add_argument("--listen", metavar="[ADDRESS:]PORT", type=endpoint, default=("127.0.0.1", 0), help=listen)
    add_library(parser)


def run(options: argparse.Namespace) -> None:
    try:
        from clickbpf.ui.server import Server, serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "aiohttp":
            raise
        missing = "serving the page takes the Python package aiohttp, which is not installed"
        raise ClickError(missing, hint=pip("ui")) from None
    from clickbpf.ui.subjects import Subjects

    given = Words.of(options.names, with_file=False)
    serve(Server(Subjects(list(given.names), options.elements, given.assignments), options.write), *options.listen)

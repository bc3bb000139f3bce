"""Serve an editor: mistakes as you type, completion, manual pages (Language Server Protocol, on standard input and output)."""

import argparse

from clickbpf.cli.options import add_library, library
from clickbpf.cli.output import pip
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_library(parser)
    parser.add_argument("--stdio", action="store_true", help="the default; accepted because some editors pass it")


def run(options: argparse.Namespace) -> None:
    try:
        from clickbpf.editor.server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        missing = "serving editors takes the Python package pygls, which is not installed"
        raise ClickError(missing, hint=pip("lsp")) from None
    serve(library(options))

"""Print the value of a handler of a loaded router."""

from __future__ import annotations

import argparse

from clickbpf.cli.options import add_json
from clickbpf.cli.output import print_json, write_text

NAME = "read"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_router(parser)
    parser.add_argument("handler", metavar="[ELEMENT.]HANDLER", help="such as c.count, or list for the router's own")
    parser.add_argument("argument", nargs="?", default="", help="what the handler is asked")
    add_json(parser)


def add_router(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-r", "--router", metavar="NAME", help="the router (may be left out if only one is loaded)")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.direct import Access
    from clickbpf.load.listing import choose

    router = choose(options.router)
    value = Access(router).read(options.handler, options.argument)
    if options.json:
        print_json({"router": router, "handler": options.handler, "value": value})
    else:
        write_text(value if value.endswith("\n") or not value else value + "\n", None)

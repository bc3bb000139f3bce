"""Remove loaded routers from the system."""

import argparse

from clickbpf.cli.output import say
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="a router's name (may be left out if only one is loaded)")
    parser.add_argument("--all", action="store_true", help="remove all routers")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.load.devices.diagnose import check_privileges
    from clickbpf.load.files import places
    from clickbpf.load.life.unload import unload

    if options.all and options.names:
        raise ClickError(f"--all and '{options.names[0]}' exclude each other", hint="leave one of them out")
    check_privileges("unloading")
    names = list(places.loaded()) if options.all else [choose(name) for name in dict.fromkeys(options.names or [None])]
    for name in names:
        unload(name, say)

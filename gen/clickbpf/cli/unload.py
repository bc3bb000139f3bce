"""Remove a loaded router from the system."""

import argparse

from clickbpf.cli.output import say
from clickbpf.errors import ClickError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the router's name (may be left out if only one is loaded)")
    parser.add_argument("--all", action="store_true", help="remove all routers")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.load.devices.diagnose import check_privileges
    from clickbpf.load.files import places
    from clickbpf.load.life.unload import unload

    if options.all and options.name is not None:
        raise ClickError(f"--all and '{options.name}' exclude each other", hint="leave one of them out")
    check_privileges("unloading")
    for name in list(places.loaded()) if options.all else [choose(options.name)]:
        unload(name, say)

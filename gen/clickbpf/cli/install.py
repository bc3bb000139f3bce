"""Load a router, replacing the one that was installed before (click-install)."""

import argparse
from typing import Any

from clickbpf.cli import load
from clickbpf.cli.options import add_input, add_plan
from clickbpf.cli.tools import add_unused

#: Click's tool uses the option -h for something else.
HELP = ("--help",)
VALUES_LEFT_OUT = load.VALUES_LEFT_OUT
#: The router's name: Click has only one router in the kernel.
NAME = "click"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser, "DEVICE|CONFDEVICE=DEVICE|VAR=VALUE")
    add_name(parser)
    first = "unload the previous router first, so that none of its state is kept"
    parser.add_argument("-u", "--uninstall", action="store_true", help=first)
    add_unused(parser, "-h", "--hotswap")
    add_unused(parser, "-G", "--greedy")
    add_unused(parser, "-p", "--private")
    parser.add_argument("-n", "--priority", metavar="N", type=int, help="accepted and ignored: concerns Click's kernel threads")
    load.add_devices(parser)
    parser.set_defaults(**_planned(), replace=True, dry_run=False, diff=False, confirm=None, resume=False, runtime_only=None)


def _planned() -> dict[str, Any]:
    """Defaults of the planner's options, which Click's tool doesn't have."""
    parser = argparse.ArgumentParser(add_help=False)
    add_plan(parser)
    return vars(parser.parse_args([]))


def add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", default=NAME, help=f"the router's name (default: {NAME})")


def run(options: argparse.Namespace) -> None:
    """Always hot-swaps, unlike Click's tool, so that a configuration with a mistake changes nothing."""
    from clickbpf.cli.options import check_router
    from clickbpf.load.files import places
    from clickbpf.load.life.unload import unload

    if options.uninstall and options.name in places.loaded():
        check_router(options)
        unload(options.name, load.say)
    load.run(options)

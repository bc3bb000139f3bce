"""Keep a router that was loaded with --confirm."""

import argparse

from clickbpf.cli.output import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the router's name (may be left out if only one is loaded)")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.load.devices.diagnose import check_privileges
    from clickbpf.load.life.trial import confirm

    check_privileges("confirming")
    name = choose(options.name)
    confirm(name)
    say(f"{name} confirmed")

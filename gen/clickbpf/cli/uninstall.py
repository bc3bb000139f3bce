"""Unload the router that was installed (click-uninstall)."""

import argparse

from clickbpf.cli.install import add_name
from clickbpf.cli.output import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_name(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.load.devices.diagnose import check_privileges
    from clickbpf.load.life.unload import unload

    check_privileges("unloading")
    unload(choose(options.name), say)

"""Print the log of a loaded router's runtime."""

import argparse
import sys


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the router's name (may be left out if only one is loaded)")
    parser.add_argument("-f", "--follow", action="store_true", help="follow the log until the router is unloaded")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.load.files.log import following, lines
    from clickbpf.load.files.places import RunFolder

    path = RunFolder.of(choose(options.name)).log
    for line in following(path) if options.follow else lines(path):
        sys.stdout.write(line)
        sys.stdout.flush()

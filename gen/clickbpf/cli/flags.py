"""Options of commands that need no configuration."""

from __future__ import annotations

import argparse


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


#: Seconds that are not waited less than.
SHORTEST = 0.1


def add_watch(parser: argparse.ArgumentParser) -> None:
    again = "do it again every SECONDS (default 1), until interrupted; with --json one line each time"
    parser.add_argument("--watch", metavar="SECONDS", type=seconds, nargs="?", const=1.0, help=again)


def seconds(text: str) -> float:
    """A time that an option gives, of a tenth of a second up to a day."""
    value = float(text)
    if not SHORTEST <= value <= 86400:
        raise ValueError(text)
    return value

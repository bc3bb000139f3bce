"""Options of commands that need no configuration."""

import argparse
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def whole(least: int, most: int) -> Callable[[str], int]:
    """The type of an option whose value is an integer from `least` to `most`."""
    return partial(_within, int, "an integer", least, most)


def real(least: float, most: float) -> Callable[[str], float]:
    """The type of an option whose value is a number from `least` to `most`."""
    return partial(_within, float, "a number", least, most)


def _within(kind: Callable, noun: str, least: float, most: float, text: str) -> Any:
    with suppress(ValueError):  # nan fails the comparison
        if text.isascii() and least <= (value := kind(text)) <= most:
            return value
    raise argparse.ArgumentTypeError(f"'{text}' is not {noun} from {least} to {most}")


#: An interval in seconds, from a tenth of a second to a day.
seconds = real(0.1, 86400)


def add_watch(parser: argparse.ArgumentParser) -> None:
    again = "repeat every SECONDS (default 1) until interrupted; with --json one line each time"
    parser.add_argument("--watch", metavar="SECONDS", type=seconds, nargs="?", const=1.0, help=again)


LOOPBACK = "127.0.0.1"
MOST = 65535


def endpoint(text: str) -> tuple[str, int]:
    """Parse `[ADDRESS:]PORT`; IPv6 addresses are in brackets."""
    found = re.fullmatch(r"(?:\[?([^\s\[\]]+)\]?:)?(\d{1,5})", text)
    if not found or int(found[2]) > MOST:
        raise argparse.ArgumentTypeError(f"'{text}' is not [ADDRESS:]PORT, with a port of at most {MOST}")
    return found[1] or LOOPBACK, int(found[2])

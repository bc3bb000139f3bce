"""Options of commands that need no configuration."""

from __future__ import annotations

import argparse
import re


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


#: The shortest interval in seconds.
SHORTEST = 0.1


def add_watch(parser: argparse.ArgumentParser) -> None:
    again = "do it again every SECONDS (default 1), until interrupted; with --json one line each time"
    parser.add_argument("--watch", metavar="SECONDS", type=seconds, nargs="?", const=1.0, help=again)


def seconds(text: str) -> float:
    """An option's interval in seconds, from a tenth of a second to a day."""
    value = float(text)
    if not SHORTEST <= value <= 86400:
        raise ValueError(text)
    return value


def priority(text: str) -> int:
    """An option's priority among the XDP programs of a device."""
    value = int(text)
    if not 0 <= value < 1 << 16:
        raise ValueError(text)
    return value


LOOPBACK = "127.0.0.1"
#: The highest port.
MOST = 65535


def endpoint(text: str) -> tuple[str, int]:
    """`[ADDRESS:]PORT`; an IPv6 address is in brackets."""
    found = re.fullmatch(r"(?:\[?([^\s\[\]]+)\]?:)?(\d{1,5})", text)
    if not found or int(found[2]) > MOST:
        raise ValueError(text)
    return found[1] or LOOPBACK, int(found[2])

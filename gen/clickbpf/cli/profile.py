"""Count which rules of a loaded router its packets meet, as a profile to compile it with."""

from __future__ import annotations

import argparse

from clickbpf.cli.flags import seconds
from clickbpf.cli.output import say, write_text

#: Seconds that are counted unless the user chooses.
SECONDS = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", help="the router's name (may be left out if only one is loaded)")
    parser.add_argument("--seconds", metavar="N", type=seconds, default=SECONDS, help=f"count so long (default {SECONDS:g})")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the profile there (default: standard output)")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose

    write_text(counted(choose(options.name), options.seconds).to_json(), options.output)


def counted(name: str, length: float):
    """The profile of a router's packets in so many seconds, which the user is informed of."""
    from clickbpf.observe.profiling import count

    say(f"counting the packets of {name} for {length:g} s")
    found = count(name, length)
    if not any(number for ways in found.elements.values() for number in ways.values()):
        say(f"no packet met a rule of {name} meanwhile: the profile changes nothing")
    return found

"""Show the flows through a loaded router, and where each ends: at a device, in Linux, or as drops."""

import argparse
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict

from clickbpf.cli.flags import add_json, seconds
from clickbpf.cli.output import print_json, print_table, say
from clickbpf.cli.trace import DROPS, NAMED, begun, say_lost

HEADS = ("PACKETS", "BYTES", "FROM", "FLOW", "END")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="NAME|FILTER", nargs="*", help=NAMED)
    parser.add_argument("-d", "--delay", metavar="SECONDS", type=seconds, default=10.0, help="how long (default 10, or until Ctrl-C)")
    parser.add_argument("--drops", action="store_true", help=DROPS)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose_first
    from clickbpf.load.change.tracing import TraceRequest
    from clickbpf.observe.traced.flowlog import flow_log

    name, words = choose_first(options.words)
    with begun(name, TraceRequest(" ".join(words))) as found:
        say(f"watching {name} for {options.delay:g} s, or until Ctrl-C")
        entries = flow_log(_during(found.paths(dropped=options.drops), options.delay))
        if options.json:
            print_json([asdict(entry) for entry in entries])
        else:
            print_table(HEADS, [(str(e.packets), str(e.bytes), e.came_from, e.flow or "(others)", e.ended) for e in entries])
        say_lost(found.lost)
        if not entries:
            say("no packets came")


def _during(paths: Iterator, seconds: float) -> Iterator:
    """The packets of so many seconds, from the trace's beginning on."""
    until = None
    with suppress(KeyboardInterrupt):
        for path in paths:
            until = until or time.monotonic() + seconds
            if time.monotonic() > until:
                return
            if path:
                yield path

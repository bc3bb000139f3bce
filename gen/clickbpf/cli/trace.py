"""Show the paths of packets through a loaded router, element by element."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from typing import BinaryIO

from clickbpf.cli.flags import add_json, whole
from clickbpf.cli.output import announced, print_line, say
from clickbpf.errors import ClickError

FILTER = (
    "which packets, as they arrive, in tcpdump's language, pcap-filter(7): 'icmp and host 10.0.0.2'; host names aren't looked up "
    "(default: all)"
)
DROPS = "show only packets that were dropped, or of which a copy was"
NAMED = f"the router's name, which may be left out in the shell of 'try'; {FILTER}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="NAME|FILTER", nargs="*", help=NAMED)
    parser.add_argument("-c", "--count", metavar="N", type=whole(1, 10**9), help="stop after this many packets")
    parser.add_argument("--drops", action="store_true", help=DROPS)
    written = "write the packets to a pcapng file, their paths as comments ('-': standard output)"
    parser.add_argument("-w", "--write", metavar="FILE", help=written)
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose_first
    from clickbpf.load.change.tracing import TraceRequest

    (name, words), most = choose_first(options.words), () if options.count is None or options.drops else (options.count,)
    with opened(options.write) as file, begun(name, TraceRequest(" ".join(words), *most)) as found:
        with suppress(KeyboardInterrupt):
            say(f"tracing {name}{', until Ctrl-C' if options.count is None else ''}")
            _report(found.paths(options.count, options.drops), file, options)
        say_lost(found.lost)


@contextmanager
def begun(name: str, request) -> Iterator:
    """A trace (traced()); says what takes so long, if a filter was never used before."""
    from clickbpf.observe.traced.tracing import traced

    with ExitStack() as ending:
        with announced(f"compiling a build of {name} that reports these packets ..."):
            found = ending.enter_context(traced(name, request))
        yield found


def say_lost(lost) -> None:
    """Report how much a trace has missed."""
    if lost.events or lost.packets:
        say(f"packets came too fast: {lost.packets} aren't reported, and of others {lost.events} events are missing")


def _report(paths: Iterator, file: BinaryIO | None, options: argparse.Namespace) -> None:
    from clickbpf import __version__
    from clickbpf.observe.traced.pcapng import PcapNg
    from clickbpf.observe.traced.text import lines, write_path

    dump = PcapNg(file, f"clickbpf {__version__}") if file else None
    for path in paths:
        if path is None:
            continue
        if dump:
            write_path(dump, path)
        if options.json:
            print_line(_plain(path))
        elif options.write != "-":
            print("\n".join([*lines(path), ""]), flush=True)


def _plain(path) -> dict:
    return {
        "packet": path.number,
        "goes_on": path.goes_on,
        "time": path.events[0].time / 1e9,
        "from": path.came_from,
        "summary": path.summary,
        "steps": [{**asdict(step), "class": step.class_name} for step in path.steps],
        "ends": list(path.ends),
    }


@contextmanager
def opened(path: str | None) -> Iterator[BinaryIO | None]:
    """The file of -w to write packets to; None without the option."""
    if path in (None, "-"):
        yield None if path is None else sys.stdout.buffer
        return
    try:
        with open(path, "wb") as file:
            yield file
    except OSError as error:
        raise ClickError(f"{path}: {error.strerror}") from None

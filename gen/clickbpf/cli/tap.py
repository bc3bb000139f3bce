"""Write the packets at one port of a loaded router's element to a pcapng file."""

import argparse
import re
from contextlib import suppress

from clickbpf.cli.flags import whole
from clickbpf.cli.output import say
from clickbpf.cli.trace import FILTER, begun, opened, say_lost
from clickbpf.errors import ClickError

PLACE = "ELEMENT or '[PORT]ELEMENT' for packets that arrive at an input, 'ELEMENT[PORT]' for packets that leave by an output"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="the router's name")
    parser.add_argument("place", metavar="ELEMENT[PORT]", help=PLACE)
    parser.add_argument("words", metavar="FILTER", nargs="*", help=FILTER)
    parser.add_argument("-w", "--write", metavar="FILE", required=True, help="the file ('-': standard output, for 'tcpdump -r -')")
    parser.add_argument("-c", "--count", metavar="N", type=whole(1, 10**9), help="stop after this many packets")


def run(options: argparse.Namespace) -> None:
    from clickbpf.load.access.listing import choose
    from clickbpf.load.change.tracing import TraceRequest
    from clickbpf.observe.traced.tracing import Tap, router_of

    name = choose(options.name)
    tap = Tap(router_of(name), *place(options.place))
    with opened(options.write) as file, begun(name, TraceRequest(" ".join(options.words), at=tap.elements)) as found:
        say(f"tapping {name}{', until Ctrl-C' if options.count is None else ''}")
        with suppress(KeyboardInterrupt, BrokenPipeError):
            _write(found, tap, file, options.count)
        say_lost(found.lost)


def place(text: str) -> tuple[str, int, bool]:
    """Parse PLACE: an element, its port, and whether the port is an output."""
    match = re.fullmatch(r"(?:\[(\d+)\])?\s*([^\[\]\s]+)\s*(?:\[(\d+)\])?", text)
    if not match or (match[1] and match[3]):
        raise ClickError(f"'{text}' is not a port of an element", hint=f"give {PLACE}")
    return match[2], int(match[1] or match[3] or 0), match[3] is not None


def _write(found, tap, file, count: int | None) -> None:
    from clickbpf import __version__
    from clickbpf.observe.traced.pcapng import PcapNg
    from clickbpf.observe.traced.text import write_event

    dump, written = PcapNg(file, f"clickbpf {__version__}"), 0
    file.flush()
    for events in found.portions():
        for event in sorted(events, key=lambda event: event.time):
            if tap.takes(event, found.names):
                write_event(dump, event, found.names.device(event.device), [])
                written += 1
                if written == count:
                    return

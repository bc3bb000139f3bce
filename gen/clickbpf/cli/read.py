"""Print the values of handlers of a loaded router."""

import argparse
import time
from collections.abc import Iterator

from clickbpf.cli.flags import add_json, add_watch
from clickbpf.cli.output import below_title, print_json, print_line, print_value
from clickbpf.errors import ClickError
from clickbpf.messages import show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_router(parser)
    what = "such as c.count, '*.count', list for the router's own, or 'rt.lookup 10.0.0.1' with an argument"
    parser.add_argument("handlers", metavar="[ELEMENT.]HANDLER", nargs="+", help=what)
    add_watch(parser)
    add_json(parser)


#: How the router is chosen whose handlers are called.
ROUTER = "-r"


def add_router(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(ROUTER, "--router", metavar="NAME", help="the router (may be left out if only one is loaded)")


def run(options: argparse.Namespace) -> int:
    """Print all that can be read; the exit status is 1 if something can't be read."""
    from clickbpf.load.access.access import Access
    from clickbpf.load.access.listing import choose

    router = choose(options.router, ROUTER)
    access = Access(router)
    while True:
        failed = _read(access, router, options)
        if failed or options.watch is None:
            return int(failed)
        time.sleep(options.watch)


def _read(access, router: str, options: argparse.Namespace) -> bool:
    """Print all values once; returns whether any could not be read."""
    several = len(options.handlers) > 1 or is_pattern(options.handlers[0])
    found, failed = [], False
    for word in options.handlers:
        try:
            for handler, value in _values(access, word):
                found.append({"router": router, "handler": handler, "value": value})
                if not options.json:
                    with below_title(handler, several):
                        print_value(value)
        except ClickError as error:
            failed = True
            show(error.diagnostics)
    if options.json and (several or found):
        plain = found if several else found[0]
        print_json(plain) if options.watch is None else print_line(plain)
    return failed


def _values(access, word: str) -> Iterator[tuple[str, str]]:
    """The handlers that a word names or matches, with their values. ClickError at the first that can't be read."""
    from clickbpf.load.access.access import READ

    name, _, argument = word.partition(" ")
    if not is_pattern(name):
        yield name, access.read(name, argument.lstrip())
        return
    handlers = access.matching(name, READ)
    for handler, value in zip(handlers, access.read_each(handlers, argument.lstrip())):
        if isinstance(value, ClickError):
            raise value
        yield handler, value


def is_pattern(name: str) -> bool:
    return any(c in name for c in "?*[")

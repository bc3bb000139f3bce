"""Write to handlers of a loaded router."""

import argparse
import re
from collections.abc import Iterator

from clickbpf.cli.output import read_text
from clickbpf.cli.read import ROUTER, add_router, is_pattern
from clickbpf.errors import ClickError
from clickbpf.messages import show

_PAIR = re.compile(r"([^\s=]+)=(.*)", re.DOTALL)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_router(parser)
    file = "write the content of FILE to HANDLER; without HANDLER, FILE consists of lines '[ELEMENT.]HANDLER VALUE'; '-' is standard input"
    parser.add_argument("-f", "--file", metavar="FILE", help=file)
    what = "such as c.reset_counts, '*.reset_counts', or q.capacity=100 r.capacity=200 for several"
    parser.add_argument("handler", metavar="[ELEMENT.]HANDLER", nargs="?", help=what)
    parser.add_argument("value", nargs="*", help="the text to write; '-' is standard input")


def run(options: argparse.Namespace) -> int:
    """Perform all writes that can be performed; the exit status is 1 if one can't."""
    from clickbpf.load.access.access import WRITE, Access
    from clickbpf.load.access.listing import choose

    wanted = list(_wanted(options))
    access = Access(choose(options.router, ROUTER))
    failed = False
    for name, value in wanted:
        try:
            for handler in access.matching(name, WRITE) if is_pattern(name) else [name]:
                access.write(handler, value)
        except ClickError as error:
            failed = True
            show(error.diagnostics)
    return int(failed)


def _wanted(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Names of handlers, or patterns, and what to write to them."""
    words = [*filter(None, [options.handler]), *options.value]
    if not words and options.file is None:
        raise ClickError("nothing to write", hint="clickbpf write HANDLER VALUE, or -f FILE")
    if options.file is not None and words:
        if len(words) > 1 or _PAIR.fullmatch(words[0]):
            raise ClickError(f"the value is given twice: by -f {options.file}, and by '{words[-1]}'", hint="leave one of them out")
        yield words[0], read_text(options.file)
    elif options.file is not None:
        yield from _lines(options.file)
    elif words and _PAIR.fullmatch(words[0]):
        yield from map(_pair, words)
    elif words:
        yield words[0], read_text("-") if words[1:] == ["-"] else " ".join(words[1:])


def _lines(path: str) -> Iterator[tuple[str, str]]:
    """A file's lines as pairs of handler and value, without empty lines and comments."""
    for line in read_text(path).splitlines():
        name, _, value = line.strip().partition(" ")
        if name and not name.startswith("#"):
            yield name, value.strip()


def _pair(word: str) -> tuple[str, str]:
    pair = _PAIR.fullmatch(word)
    if not pair:
        raise ClickError(f"'{word}' is not HANDLER=VALUE", hint="a value with spaces is quoted: 'x.config=a, b'")
    return pair[1], pair[2]

"""Format configurations: spaces and indentation. Comments, arguments and line breaks stay."""

import argparse
import difflib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from clickbpf.cli.output import read_bytes, say, write_text
from clickbpf.errors import ClickError, Diagnostics
from clickbpf.lang.archive import is_archive
from clickbpf.lang.formatting import formatted
from clickbpf.rewriting import rewrite


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="FILE", help="a configuration or a folder of them; else standard input, to output")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--check", action="store_true", help="change nothing, name the files that would change; exit status 1 if any would")
    shown.add_argument("--diff", action="store_true", help="change nothing, print what would change; exit status 1 if anything would")


def run(options: argparse.Namespace) -> int:
    found, differing = Diagnostics(), 0
    sources = None
    for name in _files(options.words or ["-"]):
        try:
            differing += _format(name, options)
        except ClickError as error:  # the other files are formatted all the same
            found.extend(error.diagnostics)
            sources = sources or error.sources
            if error.sources:
                sources.update(error.sources)
    found.raise_if_errors(sources)
    return int(bool(differing) and (options.check or options.diff))


def _files(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        path = Path(word)
        yield from map(str, sorted(path.rglob("*.click"))) if path.is_dir() else (word,)


def _format(name: str, options: argparse.Namespace) -> bool:
    """Format a file, or with --check and --diff only report; returns whether it wasn't formatted."""
    content = read_bytes(name)
    shown = "<stdin>" if name == "-" else name
    if is_archive(content) or b"\0" in content:
        raise ClickError(f"{shown} is not a configuration in text")
    text = content.decode("utf-8", "surrogateescape")
    made = formatted(text, shown)
    if options.diff:
        write_text("".join(_difference(text, made, shown)), None)
    elif options.check:
        if made != text:
            print(shown)
    elif name == "-":
        write_text(made, None)
    elif made != text:
        rewrite(Path(name).resolve(), lambda _, __: made.encode("utf-8", "surrogateescape"))
        say(f"{name} formatted")
    sys.stdout.flush()
    return made != text


def _difference(text: str, made: str, name: str) -> Iterator[str]:
    lines = difflib.unified_diff(text.splitlines(keepends=True), made.splitlines(keepends=True), name, f"{name}, formatted")
    return (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)

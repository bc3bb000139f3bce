"""Check configurations and report everything that is wrong with them (click-check)."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from clickbpf.cli.flags import add_json
from clickbpf.cli.options import add_input, check_router, config_file, no_more_words, words
from clickbpf.cli.output import print_json, say
from clickbpf.cli.tools import add_unused
from clickbpf.errors import ClickError, Diagnostic, Sources
from clickbpf.lang.archive import is_archive
from clickbpf.lang.fixing import fixed
from clickbpf.messages import plain, show
from clickbpf.rewriting import rewrite

#: A corrected mistake may uncover others, so a file is corrected again, at most this often.
MOST_ROUNDS = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--fix", action="store_true", help="correct in the files what has only one correction; report the rest")
    add_json(parser)
    for names in (("-l", "--linuxmodule"), ("-b", "--bsdmodule"), ("-u", "--userlevel")):
        add_unused(parser, *names)


def run(options: argparse.Namespace) -> int:
    found: list[dict] = []
    for one in _each(options):
        one.no_warnings = options.no_warnings or options.json
        if options.fix:
            _fix(one)
        diagnostics, sources = _mistakes(one)
        if not options.json:
            show((each for each in diagnostics if each.severity == "error" or not options.no_warnings), sources)
        found += [plain(diagnostic, sources) for diagnostic in diagnostics]
    if options.json:
        print_json(found)
    return int(any(diagnostic["severity"] == "error" for diagnostic in found))


def _mistakes(options: argparse.Namespace) -> tuple[Sequence[Diagnostic], Sources | None]:
    """What is wrong with a configuration, warnings included."""
    try:
        checked = check_router(argparse.Namespace(**{**vars(options), "no_warnings": True}))
        return checked.warnings, checked.router.sources
    except ClickError as error:
        return error.diagnostics, error.sources


def _fix(options: argparse.Namespace) -> None:
    path = config_file(options)
    if path in (None, "-"):
        raise ClickError("--fix changes files, and there is none", hint="give a FILE")

    def mend(content: bytes, _: os.stat_result) -> bytes:
        if is_archive(content):
            raise ClickError(f"{path} is an archive, which --fix can't change", hint="extract the configuration into a file of its own")
        text, mended = fixed(content.decode("utf-8", "surrogateescape"), path, _mistakes(options)[0])
        done.extend(mended)
        return text.encode("utf-8", "surrogateescape")

    for _ in range(MOST_ROUNDS):
        done: list[Diagnostic] = []
        rewrite(Path(path).resolve(), mend)
        for each in done:
            say(f"{each.place}: '{each.hint.old}' is now '{each.hint.new}'")
        if not done:
            return


def _each(options: argparse.Namespace) -> list[argparse.Namespace]:
    """The options once for each FILE. With -e or -f there is only that one configuration."""
    given = words(options)
    alone = options.file is not None or options.expression is not None
    if alone or not all(Path(name).is_file() for name in given.names):
        no_more_words(given)
    if not given.names:
        return [options]
    values = [f"{name}={value}" for name, value in given.assignments.items()]
    return [argparse.Namespace(**{**vars(options), "words": [file, *values]}) for file in (given.file, *given.names)]

"""The entry point: finds the command, runs it, shows its errors.

Exit status: 0 done, 1 a mistake in the configuration or a refusal of the system (reported on standard error), 2 a mistake on
the command line, 130 and 143 interrupted and terminated (after undoing what was begun).
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from clickbpf import __version__
from clickbpf.cli import (
    align,
    build,
    check,
    combine,
    doc,
    elements,
    fastclassifier,
    flatten,
    info,
    listing,
    load,
    log,
    plan,
    pretty,
    provides,
    read,
    run,
    uncombine,
    undead,
    unload,
    write,
    xform,
)
from clickbpf.errors import ClickError
from clickbpf.messages import as_click, show

COMMANDS = (
    *(check, flatten, pretty, plan, build, info, run, load, unload, listing, log, read, write, elements),
    *(undead, align, xform, fastclassifier, combine, uncombine, provides, doc),
)


def parser() -> argparse.ArgumentParser:
    """The parser of all commands; documentation and completion are made from it."""
    made = argparse.ArgumentParser(
        prog="clickbpf",
        description="Compiles Click router configurations to a BPF fast path and a user-space runtime, and runs them.",
        epilog="'clickbpf COMMAND --help' lists a command's options. Exit status: 0 done, 1 refused, 2 wrong usage.",
    )
    made.add_argument("-v", "--version", action="version", version=f"clickbpf {__version__}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in COMMANDS:
        summary = (module.__doc__ or "").splitlines()[0]
        command = commands.add_parser(module.NAME, help=summary, description=summary, add_help=False)
        command.add_argument("--help", action="help", help="show this text")
        module.add_arguments(command)
        command.set_defaults(command=module.run)
    return made


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Options and words in any order, which argparse by itself does not take: FILE, options, then VAR=VALUE."""
    made = parser()
    parsed, rest = made.parse_known_args([run.VALUES_LEFT_OUT.get(word, word) for word in arguments])
    if rest and (not hasattr(parsed, "words") or any(word.startswith("-") for word in rest)):
        made.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        parsed.words += rest
    return parsed


#: Under the names of Click's tools (links to clickbpf) it takes their place; click-buildtool has commands of its own.
TOOLS = {
    "click": ["run"],
    "click-buildtool": [],
    **{f"click-{tool.NAME}": [tool.NAME] for tool in (flatten, pretty, check, undead, align, xform, fastclassifier, combine, uncombine)},
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; the exit status."""
    if arguments is None:
        arguments = [*TOOLS.get(Path(sys.argv[0]).name, ()), *sys.argv[1:]]
    try:
        parsed = parse(arguments)
    except SystemExit as ended:
        return 1 if ended.code == 2 and as_click() else ended.code
    signal.signal(signal.SIGTERM, _terminated)
    try:
        return parsed.command(parsed) or 0
    except ClickError as error:
        show(error.diagnostics, error.sources)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        sys.stderr.write(f"error: {error.filename or 'the system'}: {error.strerror}\n")
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _terminated(number: int, frame) -> None:
    """Unwind as for an interrupt, so that whatever was begun is undone."""
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main())

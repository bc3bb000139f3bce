"""The parser of command lines, to which each command's module adds its options; documentation and completion are made from it.

A command line imports only the module of its own command.
"""

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from clickbpf import __version__
from clickbpf.nearest import did_you_mean

#: In the order of --help.
COMMANDS = (
    *("check", "fmt", "flatten", "pretty", "plan", "verify", "diff", "build", "info"),
    *("run", "load", "try", "accelerate", "new", "confirm", "unload", "list", "log"),
    *("read", "write", "drops", "top", "trace", "flows", "tap", "metrics", "mount", "ui", "doctor", "grant"),
    *("elements", "undead", "align", "xform", "fastclassifier", "combine", "uncombine", "install", "uninstall", "provides", "doc", "lsp"),
)
#: Commands whose modules can't have their names, which Python uses itself.
_MODULES = {"list": "listing", "try": "try_"}


class _Parser(argparse.ArgumentParser):
    """Reports a mistake in one line, without the usage that argparse prints first."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message}\nhint: see '{self.prog} --help'\n")


def parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser for these commands."""
    made = _Parser(
        prog="clickbpf",
        description="Compiles Click router configurations to a BPF fast path and a user-space runtime, and runs them.",
        epilog="'clickbpf COMMAND --help' lists a command's options. Exit status: 0 done, 1 refused, 2 wrong usage.",
    )
    _add_version(made)
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in names:
        _add(commands, name, _module(name))
    return made


def _module(name: str) -> ModuleType:
    return import_module(f"clickbpf.cli.{_MODULES.get(name, name)}")


def _add(commands, name: str, module: ModuleType) -> None:
    summary = module.__doc__.splitlines()[0]
    command = commands.add_parser(name, help=summary, description=summary, add_help=False)
    command.add_argument(*getattr(module, "HELP", ("-h", "--help")), action="help", help="show this text")
    _add_version(command)
    module.add_arguments(command)
    command.set_defaults(command=module.run, parser=command)


def _add_version(parser: argparse.ArgumentParser) -> None:
    """Add -v to a command as well: each of Click's tools has it."""
    parser.add_argument("-v", "--version", action="version", version=f"clickbpf {__version__}", help="show the version")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line. Options and words may come in any order (FILE, options, VAR=VALUE), which argparse alone doesn't accept."""
    name = arguments[0] if arguments and arguments[0] in COMMANDS else None
    made = parser([name] if name else COMMANDS)
    if arguments and not name and not arguments[0].startswith("-"):
        near = did_you_mean(arguments[0], COMMANDS)
        made.error(f"there is no command '{arguments[0]}'" + (f" ({near})" if near else ""))
    arguments, command_line = _parted(arguments) if name and getattr(_module(name), "TAKES_COMMAND", False) else (arguments, [])
    left_out = getattr(_module(name), "VALUES_LEFT_OUT", {}) if name else {}
    parsed, rest = made.parse_known_args([left_out.get(word, word) for word in arguments])
    unknown = [word for word in rest if word.startswith("-") or not hasattr(parsed, "words")]
    if unknown:
        parsed.parser.error(f"unrecognized arguments: {' '.join(rest)}{_suggestion(parsed.parser, unknown[0])}")
    if rest:
        parsed.words += rest
    parsed.command_line = command_line
    return parsed


def _parted(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words before the first `--`, and those after it."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return list(arguments[:at]), list(arguments[at + 1 :])


def _suggestion(command: argparse.ArgumentParser, word: str) -> str:
    options = [option for action in command._actions for option in action.option_strings if len(option) > 2]
    near = did_you_mean(word.partition("=")[0], options) if word.startswith("--") else None
    return f" ({near})" if near else ""

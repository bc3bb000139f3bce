"""The parser of command lines, made of the commands' own parts; documentation and completion are made from it.

Only the module of the command that is given is imported.
"""

import argparse
from collections.abc import Iterable, Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from clickbpf import __version__
from clickbpf.nearest import did_you_mean

#: In the order of the help text.
COMMANDS = (
    *("check", "fmt", "flatten", "pretty", "plan", "verify", "diff", "build", "info"),
    *("run", "load", "try", "accelerate", "new", "confirm", "unload", "list", "log"),
    *("read", "write", "drops", "top", "trace", "flows", "tap", "metrics", "mount", "ui", "doctor", "grant"),
    *("elements", "undead", "align", "xform", "fastclassifier", "combine", "uncombine", "install", "uninstall", "provides", "doc", "lsp"),
)
#: Modules whose names differ from their commands', so as not to hide Python's own modules.
_MODULES = {"list": "listing", "try": "try_"}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line, without ten lines of usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: error: {message}\nhint: '{self.prog} --help' tells more\n")


def parser(names: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    """The parser of these commands."""
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
    """An option of each command, too, since all of Click's tools have it."""
    parser.add_argument("-v", "--version", action="version", version=f"clickbpf {__version__}", help="show the version")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse options and words in any order, such as FILE, options, VAR=VALUE, which argparse doesn't accept by itself."""
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
    """What comes before the first `--`, and after it."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return list(arguments[:at]), list(arguments[at + 1 :])


def _suggestion(command: argparse.ArgumentParser, word: str) -> str:
    options = [option for action in command._actions for option in action.option_strings if len(option) > 2]
    near = did_you_mean(word.partition("=")[0], options) if word.startswith("--") else None
    return f" ({near})" if near else ""

"""Writes the manual page clickbpf(1) from the command line's own parser.

    python tools/man.py >clickbpf.1
"""

import argparse
from collections.abc import Iterator

from clickbpf import __version__
from clickbpf.cli.parser import parser

FILES = (
    ("/sys/fs/bpf/clickbpf/ROUTER/", "what a loaded router has in the kernel: links, programs, maps, the state of its elements"),
    ("/run/clickbpf/ROUTER/", "its object, control socket, log and process id"),
    ("/run/clickbpf-UID/", "both, in the folders bpf/clickbpf and run, for a user whom `clickbpf grant` lets load routers"),
    ("~/.cache/clickbpf/", "compiled files; $CLICKBPF_CACHE names another folder"),
)


def page() -> str:
    """The whole page as roff."""
    top = parser()
    return "\n".join((
        f'.TH CLICKBPF 1 "" "clickbpf {__version__}" "User Commands"',
        ".SH NAME",
        "clickbpf \\- run Click routers in the Linux kernel and in user space",
        ".SH SYNOPSIS",
        ".B clickbpf",
        ".I COMMAND",
        "[...]",
        ".SH DESCRIPTION",
        escape(top.description),
        ".PP",
        escape(top.epilog),
        ".SH COMMANDS",
        *(line for name, command in commands(top).items() for line in section(name, command)),
        ".SH FILES",
        *(line for path, words in FILES for line in item(f"\\fI{escape(path)}\\fR", words)),
        "",
    ))


def commands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The parsers of the commands, by name."""
    (choices,) = (action.choices for action in top._actions if isinstance(action, argparse._SubParsersAction))
    return choices


def section(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    yield f".SS {escape(name)}"
    yield escape(command.description)
    for action in actions(command):
        yield from item(heading(action), action.help or "")


def actions(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and words of a command that its help shows."""
    return [action for action in command._actions if action.help != argparse.SUPPRESS]


def heading(action: argparse.Action) -> str:
    """An option with all its names and what follows it, or a word of the command line."""
    if not action.option_strings:
        return f"\\fI{escape(value(action))}\\fR"
    names = ", ".join(f"\\fB{escape(option)}\\fR" for option in action.option_strings)
    return names if action.nargs == 0 else f"{names} \\fI{escape(value(action))}\\fR"


def value(action: argparse.Action) -> str:
    """What follows an option, or stands in the place of a word."""
    return action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())


def item(head: str, words: str) -> tuple[str, str, str]:
    return ".TP", head, escape(words)


def escape(text: str | None) -> str:
    """Text that roff shows as it is."""
    plain = " ".join((text or "").split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    print(page(), end="")

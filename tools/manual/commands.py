"""The commands and their options, from the parser that `--help` and the manual page clickbpf(1) come from."""

import argparse
from collections.abc import Iterator

from tools.man import actions, commands, value

from clickbpf.cli.parser import parser

HEAD = """# Commands

What `clickbpf COMMAND --help` says, of all commands. [The overview](index.md#the-commands) has a line for each, [Operating](operating.md)
their use together.
"""


def page() -> str:
    return HEAD + "".join(section(name, command) for name, command in commands(parser()).items())


def section(name: str, command: argparse.ArgumentParser) -> str:
    rows = "".join(f"| {head} | {words} |\n" for head, words in options(command))
    return f"\n## {name}\n\n{plain(command.description)}\n\n| option | |\n|---|---|\n{rows}"


def options(command: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in actions(command):
        names = [name if action.nargs == 0 else f"{name} {value(action)}" for name in action.option_strings] or [value(action)]
        yield ", ".join(f"`{plain(name)}`" for name in names).replace("|", "\\|"), plain(action.help).replace("|", "\\|")


def plain(text: str | None) -> str:
    return " ".join((text or "").split())

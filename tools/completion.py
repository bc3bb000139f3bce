"""Writes what a shell needs to complete clickbpf's command lines, from their own parser.

    python tools/completion.py bash|zsh|fish
"""

import argparse
import sys
from collections.abc import Iterator

import shtab
from man import commands

from clickbpf.cli.parser import parser


def completion(shell: str) -> str:
    """The text for a shell; shtab doesn't know fish."""
    return "\n".join(fish(parser())) + "\n" if shell == "fish" else shtab.complete(parser(), shell)


def fish(top: argparse.ArgumentParser) -> Iterator[str]:
    """A line for each command, and for each option of each."""
    for name, command in commands(top).items():
        yield f"complete -c clickbpf -n __fish_use_subcommand -f -a {name} -d {quoted(command.description)}"
        for action in command._actions:
            if action.option_strings and action.help != argparse.SUPPRESS:
                yield f"complete -c clickbpf -n '__fish_seen_subcommand_from {name}' {option(action)}"


def option(action: argparse.Action) -> str:
    """An option's names, what may follow it, and what it does."""
    names = (f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}" for word in action.option_strings)
    follows = [] if action.nargs == 0 else ["-x", "-a", quoted(" ".join(map(str, action.choices)))] if action.choices else ["-r"]
    return " ".join((*names, *follows, "-d", quoted(action.help or "")))


def quoted(text: str) -> str:
    """One word of fish: within single quotes only these two are special."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("%%", "%") + "'"


if __name__ == "__main__":
    sys.stdout.write(completion(sys.argv[1]))

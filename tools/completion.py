"""Writes what a shell needs to complete clickbpf's command lines, from their own parser.

python tools/completion.py bash|zsh|fish
"""

import argparse
import sys
from collections.abc import Iterator

import shtab
from man import commands

from clickbpf.cli.parser import parser

#: What a shell runs to know the words that there are just now, a line or a column of each.
ROUTERS = "{ ls /run/clickbpf; ls /run/clickbpf-$(id -u)/run; } 2>/dev/null"
DEVICES = "ls /sys/class/net"
CLASSES = "clickbpf elements | cut -d' ' -f1"
HANDLERS = "clickbpf read '*.handlers' 2>/dev/null | awk '/[.]handlers:$/ {e = substr($1, 1, length($1) - 9); next} NF == 2 {print e $1}'"
#: By the name of an argument in help, or where it has none there by the argument's own.
THERE = {
    "name": ROUTERS, "NAME": ROUTERS, "NAME|FILTER": ROUTERS, "NAME|FILE|VAR=VALUE": ROUTERS, "DEVICE": DEVICES, "CLASS": CLASSES,
    "[ELEMENT.]HANDLER": HANDLERS,
}  # fmt: skip
#: Commands whose NAME isn't that of a loaded router.
OTHER_NAMES = ("new", "load", "accelerate", "install", "uninstall", "provides", "build", "combine", "uncombine")


def completion(shell: str) -> str:
    """The text for a shell; shtab doesn't know fish."""
    top, functions = parser(), {}
    if shell == "fish":
        return "\n".join(fish(top)) + "\n"
    for name, command in commands(top).items():
        for action in command._actions:
            if source := there(name, action):
                function = functions.setdefault(source, f"_clickbpf_there_{len(functions)}")
                action.complete = {"bash": function, "zsh": function}
    add = {"bash": 'compgen -W "$({})" -- "$1"', "zsh": "compadd -- $({})"}[shell]
    texts = (f"{function}() {{\n  {add.format(source)}\n}}\n" for source, function in functions.items())
    return shtab.complete(top, shell, preamble={shell: "\n".join(texts)})


def there(command: str, action: argparse.Action) -> str | None:
    """What lists the words that an argument of a command may be."""
    shown = action.metavar or action.dest
    if "--runtime-only" in action.option_strings:
        return ROUTERS
    return None if shown.lower() == "name" and command in OTHER_NAMES else THERE.get(shown)


def fish(top: argparse.ArgumentParser) -> Iterator[str]:
    """A line for each command, and for each option of each, or argument that has words of its own."""
    for name, command in commands(top).items():
        yield f"complete -c clickbpf -n __fish_use_subcommand -f -a {name} -d {quoted(command.description)}"
        for action in command._actions:
            source = there(name, action)
            if action.option_strings and action.help != argparse.SUPPRESS:
                yield f"complete -c clickbpf -n '__fish_seen_subcommand_from {name}' {option(action, source)}"
            elif source:
                words = quoted(f"(sh -c {quoted(source)})")
                yield f"complete -c clickbpf -n '__fish_seen_subcommand_from {name}' -a {words}"


def option(action: argparse.Action, source: str | None) -> str:
    """An option's names, what may follow it, and what it does."""
    names = (f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}" for word in action.option_strings)
    words = f"(sh -c {quoted(source)})" if source else " ".join(map(str, action.choices or ()))
    follows = [] if action.nargs == 0 else ["-x", "-a", quoted(words)] if words else ["-r"]
    return " ".join((*names, *follows, "-d", quoted(action.help or "")))


def quoted(text: str) -> str:
    """One word of fish: within single quotes only these two are special."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'").replace("%%", "%") + "'"


if __name__ == "__main__":
    sys.stdout.write(completion(sys.argv[1]))

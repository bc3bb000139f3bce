"""docs/tutorial.md, from its beginning to its end: each command is run, and what is shown of its output is in it, in that order."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
PATIENCE = 300
#: In an escaped line: routers' names, decimal fractions that are no part of an address, ports, milliseconds. They are others each time.
VARIES = re.compile(r"try\d+|(?<![\d.])\d+\\\.\d+s?(?![\d.]|\\\.)|\d{5,}|\b\d+ms\b")


@dataclass
class Command:
    """A command line, what is typed into the shell that it starts, and the lines of output that are shown."""

    line: str
    typed: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


def blocks() -> Iterator[list[str]]:
    """The indented blocks, without their indentation."""
    for found in re.findall(r"(?:^\n)((?:^    .*\n|^\n(?=    ))+)", TUTORIAL.read_text() + "\n", re.MULTILINE):
        yield re.sub(r"^    ", "", found, flags=re.MULTILINE).rstrip("\n").split("\n")


def steps() -> Iterator[tuple[str, str] | Command]:
    """What is to be done: files, (name, text), and commands."""
    for lines in blocks():
        named = re.match(r"// (\w+\.click): ", lines[0])
        if named:
            yield named[1], "\n".join(lines) + "\n"
            continue
        assert lines[0].startswith(("# ", "$ ")), lines
        commands: list[Command] = []
        for line in lines:
            if line.startswith(("# ", "$ ")):
                commands.append(Command(line[2:]))
            elif line.startswith("eth0# "):
                commands[-1].typed.append(line.removeprefix("eth0# "))
            elif line.strip() != "...":
                commands[-1].shown.append(line)
        yield from commands


def pattern(line: str) -> str:
    """A shown line as a regular expression for lines whose spaces are single ones."""
    return VARIES.sub(lambda _: r"[\w.]+", re.escape(" ".join(line.split())))


def check(command: Command, output: str) -> None:
    """All shown lines are in the output, one after the other."""
    rest = iter([" ".join(line.split()) for line in output.splitlines()])
    for line in command.shown:
        assert any(re.fullmatch(pattern(line), each) for each in rest), f"{command.line}: no {line!r} in its place in:\n{output}"


@pytest.fixture
def environment(tmp_path):
    """The commands `clickbpf` and `pytest` are those of this checkout."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, words in (("clickbpf", ("clickbpf.cli.main",)), ("pytest", ("pytest", "-p", "no:cacheprovider"))):
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", *words])} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    paths = os.pathsep.join(filter(None, sys.path))
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": paths}


@pytest.mark.needs("root", "ip", "ethtool", "nsenter", "ping", "bash", "clang-19")
def test_the_tutorial_does_what_it_says(tmp_path, environment):
    folder = tmp_path / "mine"
    folder.mkdir()
    done = 0
    for step in steps():
        if not isinstance(step, Command):
            (folder / step[0]).write_text(step[1])
        elif step.line.startswith("cd "):
            folder = folder / step.line.removeprefix("cd ")
        else:
            made = subprocess.run(
                ["bash", "-c", step.line], input="\n".join(step.typed), cwd=folder, env=environment, timeout=PATIENCE,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            check(step, made.stdout)
            done += 1
    assert done == 11


def test_a_line_that_is_not_in_the_output_is_noticed():
    shown = Command("x", shown=["64 bytes from 10.0.1.2: ttl=63 time=0.152 ms", "table 27723 exp300"])
    check(shown, "before\n64 bytes from 10.0.1.2:   ttl=63 time=1.9 ms\nbetween\ntable 311 exp300\n")
    first, second = "64 bytes from 10.0.1.2: ttl=63 time=1.9 ms", "table 311 exp300"
    for wrong in (f"{first.replace('1.2', '1.3')}\n{second}", f"{second}\n{first}", first):
        with pytest.raises(AssertionError):
            check(shown, wrong)


@pytest.mark.parametrize("manual", ["tutorial.md", "cookbook.md"])
def test_links_lead_somewhere(manual):
    page = ROOT / "docs" / manual
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert links and [link for link in links if not (page.parent / link).exists()] == []

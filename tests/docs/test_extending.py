"""The examples of docs/extending.md, made in a copy of the sources and tried as they are written."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.markdown import blocks
from tests.docs.markdown import commands as in_block

ROOT = Path(__file__).parents[2]
BLOCKS = list(blocks((ROOT / "docs" / "extending.md").read_text()))


def commands() -> list[tuple[str, list[str]]]:
    shown = [command for block in BLOCKS if block.language == "console" for command in in_block(block)]
    return [(command.line, command.shown) for command in shown]


def change(root: Path, lines: list[str]) -> None:
    path = root / lines[0].strip("#/* ")
    if "=>" in lines:
        at = lines.index("=>")
        old, new = ("\n".join(part) for part in (lines[1:at], lines[at + 1 :]))
        text = path.read_text()
        assert text.count(old) == 1, f"{path}: {old}"
        path.write_text(text.replace(old, new))
    else:
        before = path.read_text() if path.exists() else ""
        path.write_text(before + "\n".join(lines[1:]).lstrip("\n" * (not before)) + "\n")


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("clickbpf")
    for folder in ("gen", "elements", "bpf", "userspace"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for block in BLOCKS:
        if block.language != "console":
            change(root, list(block.lines))
    return root


def output(copy: Path, command: str) -> str:
    """What a command of the manual prints, run on the copy."""
    program, *arguments = shlex.split(command)
    assert program == "clickbpf"
    environment = {**os.environ, "PYTHONPATH": str(copy / "gen")}
    run = [sys.executable, "-m", "clickbpf.cli.main", *arguments]
    done = subprocess.run(run, env=environment, cwd=copy, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command, printed", commands(), ids=lambda each: each.split()[1] if isinstance(each, str) else "")
def test_a_command_prints_what_the_manual_shows(copy, command, printed):
    shown = output(copy, command)
    assert not printed or shown.split() == "\n".join(printed).split()


def test_all_of_them_are_there():
    assert {command.split()[1] for command, _ in commands()} == {"doc", "plan", "run", "undead", "census"}


def test_the_class_runs_in_the_kernel(copy):
    plan = next(command for command, _ in commands() if command.startswith("clickbpf plan"))
    rows = [line for line in output(copy, plan).splitlines() if "LengthSwitch" in line]
    assert rows and all("kernel" in row for row in rows), rows


def test_the_pass_takes_out_the_second_of_two(copy):
    undead = next(command for command, _ in commands() if command.startswith("clickbpf undead"))
    left = output(copy, undead)
    assert (left.count("Paint(1)"), left.count("Paint(2)")) == (1, 1)

"""Completion of command lines: bash is asked to complete, and fish's lines have every command and option."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.cli.parser import COMMANDS

TOOL = Path(__file__).parents[2] / "tools" / "completion.py"


def made(shell: str) -> str:
    return subprocess.run([sys.executable, TOOL, shell], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def bash(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("completion") / "clickbpf"
    path.write_text(made("bash"))
    return path


@pytest.mark.parametrize(
    "words, expected",
    [
        (("lo",), {"load", "log"}),
        (("load", "--rep"), {"--replace"}),
        (("load", "--mode", "g"), {"generic"}),
        (("check", "--rep"), set()),
        (("doctor", "lo"), {"lo"}),
        (("doc", "DecIPT"), {"DecIPTTL"}),
    ],
)
def test_bash_completes(bash, words, expected):
    line = " ".join(("clickbpf", *words))
    script = f'. "$0"; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _shtab_clickbpf; printf "%s\\n" "${{COMPREPLY[@]}}"'
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", script, bash], capture_output=True, text=True, check=True, env={**os.environ, "PATH": path})
    assert set(done.stdout.split()) == expected


def test_zsh_has_every_command():
    text = made("zsh")
    assert text.startswith("#compdef clickbpf") and all(f"\n    {name}:" in text for name in COMMANDS)


def test_fish_has_every_command_and_option():
    text = made("fish")
    assert re.findall(r"__fish_use_subcommand -f -a (\w+)", text) == list(COMMANDS)
    for command in ("load", "read"):
        shown = subprocess.run([sys.executable, "-m", "clickbpf.cli.main", command, "--help"], capture_output=True, text=True).stdout
        options = set(re.findall(r"^  (?:-\w[^-\n]*)?--([\w-]+)", shown, re.MULTILINE))
        assert options == set(re.findall(rf"seen_subcommand_from {command}'.*? -l ([\w-]+)", text))


def test_fish_takes_quotes_as_they_are():
    """Within single quotes fish knows two escapes, of the quote and of the backslash."""
    sys.path.insert(0, str(TOOL.parent))
    try:
        from completion import quoted
    finally:
        sys.path.remove(str(TOOL.parent))
    assert quoted("a 'file' \\ too") == r"'a \'file\' \\ too'"

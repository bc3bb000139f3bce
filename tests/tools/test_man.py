"""The manual page says all that the command line takes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from clickbpf.cli.main import main
from clickbpf.cli.parser import COMMANDS

ROOT = Path(__file__).parents[2]
MACROS = {"TH", "SH", "SS", "TP", "PP", "B", "I"}


@pytest.fixture(scope="module")
def page() -> str:
    done = subprocess.run([sys.executable, ROOT / "tools" / "man.py"], capture_output=True, text=True, check=True)
    return done.stdout


def test_every_command_has_its_section_in_the_order_of_the_help(page):
    assert re.findall(r"^\.SS (\w+)$", page, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_option_that_help_shows_is_there(page, command, capsys):
    assert main([command, "--help"]) == 0
    options = set(re.findall(r"^  (?:-\w[^-\n]*)?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE))
    section = re.search(rf"^\.SS {command}$(.*?)^\.S[SH] ", page, re.MULTILINE | re.DOTALL)[1].replace("\\-", "-")
    assert "--help" in options
    assert {option for option in options if f"\\fB{option}\\fR" not in section} == set()


def test_options_that_help_hides_are_not_there(page):
    assert "SUPPRESS" not in page and "\\-\\-no\\-affinity" not in page


def test_no_text_is_taken_for_a_request(page):
    assert {re.match(r"\.(\w*)", line)[1] for line in page.splitlines() if line.startswith((".", "'"))} <= MACROS


def test_a_line_that_begins_like_a_request_is_shown():
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        from man import escape
    finally:
        sys.path.remove(str(ROOT / "tools"))
    assert escape("'-' is standard\n  input, a \\ too") == "\\&'\\-' is standard input, a \\e too"

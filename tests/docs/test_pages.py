"""Every page, from its beginning to its end: files are made, commands run, and what is shown of their output is in it, in that order."""

import re
import shlex
import time
from pathlib import Path

import pytest
from tests.docs.markdown import ROOT, Block, Command, blocks, commands, pages, stage
from tests.docs.stage import Stage, stages

LANGUAGES = {"console", "sh", "click", "python", "c", "text"}
#: Pages whose blocks are changes of the sources, and are tried in a copy of them.
OF_THE_SOURCES = {"docs/extending.md": "tests/docs/test_extending.py"}
#: In an escaped line: routers' names, decimal fractions that are no part of an address, ports, process ids, times, seconds that are left.
#: They are others each time.
VARIES = re.compile(r"\d{4}\\-\d\d\\-\d\dT[\d:.\\+]+|try\d+|(?<![\d.])\d+\\\.\d+s?(?![\d.]|\\\.)|\d{5,}|exp\d+|\b\d+m?s\b")
LOOKING = ("clickbpf list", "clickbpf log", "clickbpf read", "clickbpf drops")
#: Seconds in which the output must match.
PATIENCE = 20
#: Pages that `make test` tries: what a newcomer does first, and what is short.
FIRST = ("README.md", "ARCHITECTURE.md", "docs/language.md")
PAGES = [path.relative_to(ROOT).as_posix() for path in pages()]


def parameters() -> list:
    return [pytest.param(name, marks=() if name in FIRST else pytest.mark.whole) for name in PAGES if name not in OF_THE_SOURCES]


def pattern(line: str) -> str:
    """A shown line as a regular expression for lines whose spaces are single ones; what comes after its ` ...` is left out."""
    shown, left_out, _ = line.partition(" ...") if line.endswith(" ...") else (line, "", "")
    return VARIES.sub(lambda _: r"[\w.:+-]+", re.escape(" ".join(shown.split()))) + (".*" if left_out else "")


def check(command: Command, output: str) -> None:
    """All shown lines are in the output, one after the other."""
    rest = iter([" ".join(line.split()) for line in output.splitlines()])
    for line in command.shown:
        assert any(re.fullmatch(pattern(line), each) for each in rest), f"{command.line}: no {line!r} in its place in:\n{output}"


def perform(block: Block, place: Stage, page: str = "") -> None:
    """Do what a block says. Configurations are right, but for files that the page itself checks."""
    if block.file and block.language != "console":
        file = place.folder / block.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block.text)
        if block.language == "click" and f"clickbpf check {block.file}\n" not in page:
            succeeds(place, f"clickbpf check {shlex.quote(block.file)}")
    elif block.language == "console":
        for command in commands(block):
            execute(command, place)
    elif block.language == "sh":
        succeeds(place, f"set -e\n{block.text}")
    elif block.language == "click":
        succeeds(place, f"clickbpf check -e {shlex.quote(block.text)}")
    elif block.language == "python":
        succeeds(place, f"python -c {shlex.quote(block.text)}")


def execute(command: Command, place: Stage) -> None:
    """What only looks at a router may see it a moment too early."""
    patience = time.monotonic() + (PATIENCE if command.line.startswith(LOOKING) else 0)
    while True:
        done = place.run(command.line, command.prompt, "\n".join(command.typed))
        try:
            check(command, done.stdout)
            break
        except AssertionError:
            if time.monotonic() > patience:
                raise
    assert command.shown or not done.returncode, f"{command.line}: status {done.returncode}\n{done.stdout}"


def succeeds(place: Stage, line: str) -> None:
    done = place.run(line, "#")
    assert not done.returncode, f"{line}\n{done.stdout}"


@pytest.mark.needs("root", "ip", "ethtool", "nsenter", "unshare", "ping", "bash", "clang-19", "bpftool")
@pytest.mark.parametrize("name", parameters())
def test_a_page_does_what_it_says(tmp_path, name):
    text = (ROOT / name).read_text()
    with stages(stage(text), tmp_path) as place:
        for block in blocks(text):
            if not block.reason:
                perform(block, place, text)


@pytest.mark.parametrize("name", PAGES)
def test_every_block_says_what_it_is(name):
    """Nothing is code by its indentation, which would hide it from these tests."""
    text = (ROOT / name).read_text()
    assert [f"{name}:{block.number}" for block in blocks(text) if block.language not in LANGUAGES] == []
    assert [f"{name}:{block.number}: has no end" for block in blocks(text) if any(line.startswith("```") for line in block.lines)] == []
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert re.findall(r"(?<=\n\n) {4}(?! *[-*] ).*", re.sub(r"^ *[-*] .*\n(?: +.*\n)*", "", outside, flags=re.MULTILINE)) == []


def test_the_pages_of_the_sources_are_tried():
    for page, test in OF_THE_SOURCES.items():
        assert page in PAGES and Path(page).name in (ROOT / test).read_text()


def test_a_line_that_is_not_in_the_output_is_noticed():
    shown = Command("x", shown=["64 bytes from 10.0.1.2: ttl=63 time=0.152 ms", "table 27723 exp300"])
    check(shown, "before\n64 bytes from 10.0.1.2:   ttl=63 time=1.9 ms\nbetween\ntable 311 exp300\n")
    first, second = "64 bytes from 10.0.1.2: ttl=63 time=1.9 ms", "table 311 exp300"
    for wrong in (f"{first.replace('1.2', '1.3')}\n{second}", f"{second}\n{first}", first):
        with pytest.raises(AssertionError):
            check(shown, wrong)


def test_what_a_page_says_wrongly_is_noticed(tmp_path):
    """A block of each kind, each with a mistake; the same without it passes."""
    place = Stage(tmp_path)
    for language, right, wrong in (
        ("console", "$ echo one\none", "$ echo one\ntwo"),
        ("console", "$ true", "$ false"),
        ("sh", "true\ntrue", "false\ntrue"),
        ("click", "Idle -> Discard;", "Idle -> Discrad;"),
        ("click", "// right.click\nIdle -> Discard;", "// wrong.click\nIdle -> Discrad;"),
        ("python", "import clickbpf", "import clickbfp"),
    ):
        perform(Block(language, tuple(right.split("\n")), 1, ""), place)
        with pytest.raises(AssertionError):
            perform(Block(language, tuple(wrong.split("\n")), 1, ""), place)

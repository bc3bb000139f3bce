"""In the place of Click's tools: their names, their words, what they provide. Expected texts are Click's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Done, environment

CLICKBPF = Path(sys.executable).with_name("clickbpf")


@pytest.fixture
def tool(tmp_path):
    """Runs clickbpf under another name."""

    def run(name: str, *words: str, text: str = "") -> Done:
        link = tmp_path / name
        link.symlink_to(CLICKBPF)
        done = subprocess.run([link, *words], input=text, capture_output=True, text=True, env=environment(), timeout=60, cwd=tmp_path)
        link.unlink()
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.mark.parametrize(
    "name, status",
    [
        ("Queue", 0),
        ("SimpleQueue", 0),
        ("userlevel", 0),
        ("umultithread", 0),
        ("linuxmodule", 1),
        ("NoSuchElement", 1),
        ("linuxmodule|userlevel", 0),
        ("Queue userlevel", 0),
        ("Queue bsdmodule", 1),
    ],
)
def test_provides(clickbpf, name, status):
    assert clickbpf("provides", name).status == status


def test_provisions_are_listed_and_added(clickbpf):
    assert {"Queue", "userlevel"} <= set(clickbpf("provides", "-q").out.splitlines())
    assert clickbpf("provides", "-r", "moon", "moon").status == 0
    assert [clickbpf("provides", "-l", name).out for name in ("Queue", "moon")] == ["1\n", "0\n"]


def test_buildtool(tool):
    assert (tool("click-buildtool", "provides", "Queue").status, tool("click-buildtool", "provides", "moon").status) == (0, 1)


def test_click_runs_what_it_is_given(tool):
    assert tool("click", "-", "-h", "c.count", text="InfiniteSource(LIMIT 3, STOP true) -> c :: Counter -> Discard").out == "3\n"


def test_flatten_needs_no_known_classes(clickbpf):
    """And has Click's layout."""
    text = "elementclass E { $a | input -> X($a) -> output; } s :: Some -> E(1) -> [1] t :: Other; t [1] -> s"
    declarations = "s :: Some;\nt :: Other;\nE@2/X@1 :: X(1);\n"
    assert clickbpf("flatten", "-e", text).out == f"{declarations}\nt [1] -> s\n    -> E@2/X@1\n    -> [1] t;\n"
    assert clickbpf("flatten", "--expand-vars", "-e", "define($A 3) Idle(x$A)").out == "Idle@1 :: Idle(x3);\n"
    assert clickbpf("flatten", "-ce", text).out.split() == ["Other", "Some", "X"]
    assert clickbpf("flatten", "-ne", text).out.split() == ["E@2/X@1", "s", "t"]
    assert clickbpf("flatten", "-de", text).out == "E@2/X@1 :: X\ns :: Some\nt :: Other\n"


UNUSED = "config:1: 'Print@1 :: Print' {} 0 unused\n"
NO_ROUTER = "Router could not be initialized!\n"


@pytest.mark.parametrize(
    "text, said",
    [
        ("Print", UNUSED.format("input") + UNUSED.format("output") + NO_ROUTER),
        ("a -> b", "config:1: undeclared element 'a'\nconfig:1: undeclared element 'b'\n"),
        ("x :: Idle;\nx :: Idle; Print", "config:2: redeclaration of element 'x'\nconfig:1: element 'x' previously declared here\n"),
        (
            "i :: InfiniteSource -> Print -> d :: Discard;\ni -> d",
            "config:1: illegal reuse of 'i :: InfiniteSource' push output 0\n" + NO_ROUTER,
        ),
        (
            "Idle -> Queue -> Queue -> Discard",
            "'Queue@2 :: Queue' pull output 0 connected to 'Queue@3 :: Queue' push input 0\n" + NO_ROUTER,
        ),
        ("n :: Null;\nIdle -> n [1] -> Discard", "config:1: 'n :: Null' has no output 1\n" + NO_ROUTER),
        ("FromDevice(a) -> Null -> ToDevice(a)", "agnostic 'Null@2 :: Null' in mixed context: push input 0, pull output 0\n" + NO_ROUTER),
        ("x :: Idle; x(1) -> Idle", "config:1: configuration string ignored on element reference\n"),
        ("require(library x.click)", "config:1: library 'x.click' not found in CLICKPATH/conf\n"),
        ("m :: Message(test)", "config:1: While configuring 'm :: Message':\n  test\n"),
        ("-> Null", "config:1: syntax error near '->'\n"),
        ("Idle -> Paint(1, COLOR 2) -> Idle", ""),  # Click says nothing of it
        (
            "Idle -> Paint -> Idle",
            "config:1: While configuring 'Paint@2 :: Paint':\n  COLOR: required argument missing\n" + NO_ROUTER,
        ),
        (
            "Idle -> rw :: IPAddrRewriter(pattern 1 - 0 0,\n  pattern 2 - 0 0) -> Idle; Idle -> [1] rw",
            "config:1: While configuring 'rw :: IPAddrRewriter':\n"
            "  input spec 0: bad source address\n  input spec 1: bad source address\n" + NO_ROUTER,
        ),
    ],
)
def test_mistakes_in_clicks_words(clickbpf, monkeypatch, text, said):
    monkeypatch.setenv("CLICKBPF_MESSAGES", "click")
    assert clickbpf("check", "-e", text).err == said


def test_a_file_that_is_not_there(tool):
    assert tool("click", "nosuch.click").err == "nosuch.click: No such file or directory\n"


def test_a_control_connection_that_is_open_already(tool, tmp_path):
    import socket

    ours, theirs = socket.socketpair()
    link = tmp_path / "click"
    link.symlink_to(CLICKBPF)
    os.set_inheritable(theirs.fileno(), True)
    words = [link, "--socket", str(theirs.fileno()), "-e", "Idle -> q :: Queue(7) -> Discard"]
    with subprocess.Popen(words, env=environment(), pass_fds=[theirs.fileno()]) as running:
        theirs.close()
        ours.settimeout(60)
        file = ours.makefile("rwb")
        assert file.readline() == b"Click::ControlSocket/1.3\r\n"
        file.write(b"READ q.capacity\r\nWRITE stop\r\n")
        file.flush()
        assert [file.readline() for _ in range(2)] == [b"200 Read handler 'q.capacity' OK\r\n", b"DATA 1\r\n"]
        assert running.wait(60) == 0
    ours.close()

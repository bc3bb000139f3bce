"""What `run` shows of files that are read."""

import struct

import pytest

from clickbpf.cli.progress import Progress, State, state
from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.session import Session
from clickbpf.vocabulary.library import Library

#: A dump's header, and one packet of 60 bytes.
HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
PACKET = struct.pack("<IIII", 1, 0, 60, 60) + bytes(60)


@pytest.fixture
def reading(tmp_path):
    """A router that has read 10 of 100 packets."""
    file = tmp_path / "x.pcap"
    file.write_bytes(HEADER + 100 * PACKET)
    text = f"FromDump({file}) -> Unqueue(LIMIT 10) -> Discard; Idle -> Discard;"
    with Runtime(Compilation(check_text(text, Library.standard())), clock=10**9) as runtime:
        runtime.settle()
        yield runtime


def test_how_far_it_has_come(reading):
    assert state(reading) == State(len(HEADER) + 10 * len(PACKET), len(HEADER) + 100 * len(PACKET), 10)


def test_without_files_there_is_nothing_to_show():
    with Runtime(Compilation(check_text("InfiniteSource(LIMIT 1) -> Discard;", Library.standard()))) as runtime:
        assert state(runtime) is None


def test_the_line(reading, monkeypatch, capsys):
    from clickbpf.cli import progress

    monkeypatch.setattr(progress, "PATIENCE", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")
    with Progress(Session(reading)) as shown:
        shown.glance()
    assert "10 packets" in capsys.readouterr().err


def test_nothing_is_shown_where_there_is_no_terminal(reading, monkeypatch, capsys):
    from clickbpf.cli import progress

    monkeypatch.setattr(progress, "PATIENCE", 0)
    with Progress(Session(reading)) as shown:
        shown.glance()
    assert capsys.readouterr().err == ""

"""Sockets' files appear when somebody listens, wherever this project makes such a file."""

import errno
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.control import Serving
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.listening import ControlServer
from clickbpf.unixsocket import LONGEST, listen_at
from clickbpf.vocabulary.library import Library


@contextmanager
def element(text: str) -> Iterator[None]:
    """A router with an element that listens."""
    with ExitStack() as undo:
        runtime = Runtime(Compilation(check_text(text, Library.standard())))
        undo.callback(runtime.close)
        runtime.initialise()
        runtime.start()
        yield


@contextmanager
def control(path: Path) -> Iterator[None]:
    server = ControlServer.unix(path, Serving(None))
    yield
    server.close()


@contextmanager
def plain(path: Path) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX) as opened:
        listen_at(opened, str(path), 5)
        yield


PLACES: dict[str, Callable] = {
    "plain": plain,
    "ControlServer": control,
    "ControlSocket": lambda path: element(f"ControlSocket(UNIX, {path});"),
    "ChatterSocket": lambda path: element(f"ChatterSocket(UNIX, {path});"),
    "Socket": lambda path: element(f"Socket(UNIX, {path}) -> Discard;"),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_file_is_there_when_somebody_listens(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, too_early = tmp_path / "socket", []
    listen = socket.socket.listen

    def watched(opened: socket.socket, backlog: int) -> None:
        too_early.append(path.exists())
        listen(opened, backlog)

    monkeypatch.setattr(socket.socket, "listen", watched)
    with PLACES[place](path), socket.socket(socket.AF_UNIX) as client:
        assert too_early == [False]
        assert os.listdir(tmp_path) == ["socket"]
        client.connect(str(path))


def test_what_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    path.write_text("mine")
    with socket.socket(socket.AF_UNIX) as opened, pytest.raises(OSError) as caught:
        listen_at(opened, str(path), 5)
    assert caught.value.errno == errno.EADDRINUSE
    assert os.listdir(tmp_path) == ["socket"]
    assert path.read_text() == "mine"


def test_names_may_be_as_long_as_the_kernel_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "s" * LONGEST
    with plain(Path(name)), socket.socket(socket.AF_UNIX) as client:
        client.connect(name)
    with socket.socket(socket.AF_UNIX) as opened, pytest.raises(OSError, match="too long"):
        listen_at(opened, name + "s", 5)

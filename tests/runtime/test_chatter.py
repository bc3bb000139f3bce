"""What a ChatterSocket's listeners are given, when there are too many of them or of anything else."""

import errno
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.waiting import eventually

from clickbpf.runtime import chatter
from clickbpf.runtime.chatter import MOST_CLIENTS, Broadcaster

GREETING = b"hello\r\n"


class Scarce(socket.socket):
    """A listening socket of a process that has no descriptors left for this many clients in turn."""

    refusals, attempts = 0, 0

    def accept(self):
        self.attempts += 1
        if self.attempts <= self.refusals:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return super().accept()


def test_without_a_thread_nothing_is_copied_and_no_descriptor_is_left(monkeypatch):
    """Standard error stays as it was, and the next listener may have more luck."""

    def fails(*_) -> None:
        raise RuntimeError("can't start new thread")

    copier, heard = chatter.Copier(), []
    before = os.listdir("/proc/self/fd"), os.fstat(2)
    with monkeypatch.context() as scarce, pytest.raises(RuntimeError):
        scarce.setattr(chatter.threading.Thread, "start", fails)
        copier.add(heard.append)
    assert (os.listdir("/proc/self/fd"), os.fstat(2)) == before
    copier.add(heard.append)
    os.write(2, b"heard")
    assert eventually(lambda: heard == [b"heard"])
    copier.remove(heard.append)


@pytest.fixture
def listening(tmp_path) -> Scarce:
    made = Scarce(socket.AF_UNIX)
    made.bind(str(tmp_path / "chatter"))
    made.listen(3 * MOST_CLIENTS)
    return made


@pytest.fixture
def broadcaster(listening) -> Iterator[Broadcaster]:
    made = Broadcaster(listening, GREETING)
    yield made
    made.close()


def client(listening: socket.socket) -> socket.socket:
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(60)
    made.connect(listening.getsockname())
    return made


def greeted(listening: socket.socket) -> socket.socket:
    made = client(listening)
    assert made.recv(len(GREETING)) == GREETING
    return made


def is_over(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False


def test_who_comes_when_there_are_too_many_takes_the_place_of_who_came_first(listening, broadcaster):
    clients = [greeted(listening) for _ in range(MOST_CLIENTS + 2)]
    broadcaster.say(b"news")
    for each in clients[2:]:
        assert each.recv(100) == b"news"
    assert is_over(clients[0]) and is_over(clients[1])
    for each in clients:
        each.close()


def test_those_go_first_that_do_not_read(listening, broadcaster, monkeypatch):
    monkeypatch.setattr(chatter, "MOST_BEHIND", 1 << 30)
    reading, deaf = greeted(listening), greeted(listening)
    text = bytes(1 << 20)
    broadcaster.say(text)
    left = len(text)
    while left:
        left -= len(reading.recv(left))
    more = [greeted(listening) for _ in range(MOST_CLIENTS - 1)]
    broadcaster.say(b"news")
    for each in (reading, *more):
        assert each.recv(100) == b"news"
    left = len(text)
    while got := deaf.recv(left):
        left -= len(got)
    assert left, "what it hadn't read is not kept for it"
    for each in (reading, deaf, *more):
        each.close()


def test_without_descriptors_it_tries_again_now_and_then(listening):
    listening.refusals = 4
    begin = time.monotonic()
    made = Broadcaster(listening, GREETING)
    late = greeted(listening)
    assert listening.attempts <= listening.refusals + 2, "the last one finds that nobody else waits"
    assert time.monotonic() - begin >= listening.refusals * chatter.PATIENCE
    made.close()
    late.close()


def test_those_who_are_connected_hear_on_meanwhile(listening, broadcaster):
    early = greeted(listening)
    listening.refusals = 1 << 30
    waiting = client(listening)
    assert eventually(lambda: listening.attempts > 1)
    broadcaster.say(b"news")
    assert early.recv(100) == b"news"
    for each in (early, waiting):
        each.close()


def test_no_descriptor_is_left(listening):
    before = set(Path("/proc/self/fd").iterdir())
    listening.refusals = 1 << 30
    made = Broadcaster(listening, GREETING)
    waiting = client(listening)
    assert eventually(lambda: listening.attempts)
    made.close()
    waiting.close()
    assert not set(Path("/proc/self/fd").iterdir()) - before

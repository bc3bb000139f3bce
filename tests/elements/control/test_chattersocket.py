"""ChatterSocket: standard error for those who connect."""

import signal
import socket
import subprocess
import sys
import time

import pytest

COMMAND = [sys.executable, "-m", "clickbpf.cli.main", "run"]
TALK = "s :: RatedSource(hello, RATE 50) -> Print(said, CONTENTS ASCII) -> Discard;"


@pytest.fixture
def start():
    """start(configuration, options) runs a router in a process of its own, ended by SIGINT."""
    running: list[subprocess.Popen] = []

    def begin(configuration: str, *options: str) -> subprocess.Popen:
        running.append(subprocess.Popen([*COMMAND, *options, "-e", configuration], stderr=subprocess.PIPE, text=True))
        return running[-1]

    yield begin
    for process in running:
        process.terminate()
        process.communicate(timeout=60)


def connect(path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(60)
    end = time.monotonic() + 60
    while True:
        try:
            client.connect(str(path))
            return client
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.02)


def lines(client: socket.socket, count: int) -> list[str]:
    with client.makefile(newline="") as read:
        return [read.readline() for _ in range(count)]


def test_all_clients_hear_and_standard_error_too(start, tmp_path):
    router = start(f"ChatterSocket(UNIX, {tmp_path}/log); {TALK}")
    clients = [connect(tmp_path / "log") for _ in range(2)]
    for client in clients:
        assert lines(client, 3) == ["Click::ChatterSocket/1.0\r\n", *["said:    5 |  hello\n"] * 2]
        client.close()
    assert router.stderr.readline() == "said:    5 |  hello\n"


def test_without_greeting_and_on_another_channel(start, tmp_path):
    start(f"ChatterSocket(UNIX, {tmp_path}/a, GREETING false); ChatterSocket(CHANNEL quiet, UNIX, {tmp_path}/b); {TALK}")
    with connect(tmp_path / "b") as quiet, connect(tmp_path / "a") as client:
        assert lines(client, 2) == ["said:    5 |  hello\n"] * 2
        assert quiet.recv(1000) == b"Click::ChatterSocket/1.0\r\n"
        quiet.settimeout(0.2)
        with pytest.raises(TimeoutError):
            quiet.recv(1000)


def test_the_file_goes_with_the_router(start, tmp_path):
    router = start(f"ChatterSocket(UNIX, {tmp_path}/log); {TALK}")
    client = connect(tmp_path / "log")
    assert lines(client, 2)[-1].startswith("said:"), "the router runs"
    router.send_signal(signal.SIGINT)
    assert router.wait(60) == 0
    while client.recv(1000):
        pass
    assert not (tmp_path / "log").exists()
    client.close()


def test_a_socket_that_is_taken(start, tmp_path):
    taken = socket.socket(socket.AF_UNIX)
    taken.bind(str(tmp_path / "log"))
    router = start(f"ChatterSocket(UNIX, {tmp_path}/log); {TALK}")
    assert router.wait(60) == 1
    assert "bind: Address already in use" in router.stderr.read()
    router = start(f"ChatterSocket(UNIX, {tmp_path}/log, RETRIES 5); Script(wait 10s)")
    assert "bind: Address already in use (5 tries left)" in "".join(router.stderr.readline() for _ in range(2))
    (tmp_path / "log").unlink()
    with connect(tmp_path / "log") as client:
        assert lines(client, 1) == ["Click::ChatterSocket/1.0\r\n"]
    taken.close()


MISTAKES = {"ChatterSocket(TCP, nonsense);": "port"}

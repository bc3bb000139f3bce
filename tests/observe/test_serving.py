"""The port of metrics against hostile clients: it still answers others, and the clients' resources are bounded."""

import errno
import os
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from socketserver import TCPServer

import pytest
from prometheus_client import CollectorRegistry, Gauge
from tests.waiting import eventually

from clickbpf.observe import serving

REQUEST = b"GET /metrics HTTP/1.0\r\n\r\n"


@pytest.fixture
def port() -> Iterator[int]:
    registry = CollectorRegistry()
    Gauge("seven", "the number", registry=registry).set(7)
    with serving.Server(registry, "127.0.0.1", 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def answer(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as found:
        return found.read().decode()


def is_over(connection: socket.socket) -> bool:
    """Whether the other end is done with it; asked without waiting."""
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_clients_that_say_nothing_keep_nobody_out_and_hold_no_threads(port):
    before = threading.active_count()
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
    assert "seven 7.0" in answer(port)
    assert eventually(lambda: sum(map(is_over, silent)) >= 100 - serving.MOST_CLIENTS)
    assert eventually(lambda: threading.active_count() <= before + serving.MOST_CLIENTS)
    for connection in silent:
        connection.close()
    assert eventually(lambda: threading.active_count() == before)


def test_without_descriptors_it_tries_again_now_and_then(port, monkeypatch):
    """The connection that waits to be let in goes on to be ready."""
    attempts, refusals, accept = [], 4, TCPServer.get_request

    def scarce(server: TCPServer) -> tuple:
        attempts.append(time.monotonic())
        if len(attempts) <= refusals:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return accept(server)

    monkeypatch.setattr(TCPServer, "get_request", scarce)
    assert "seven 7.0" in answer(port)
    assert len(attempts) == refusals + 1
    assert attempts[-1] - attempts[0] >= refusals * serving.AGAIN_AFTER


def test_a_connection_ends_however_busy_it_is(port, monkeypatch, capfd):
    """One that goes on sending headers, one byte after the other, and one that asks and doesn't listen."""
    monkeypatch.setattr(serving, "PATIENCE", 0.5)
    before = threading.active_count()
    with socket.create_connection(("127.0.0.1", port)) as dripping, socket.create_connection(("127.0.0.1", port)) as deaf:
        deaf.sendall(REQUEST)
        dripping.sendall(b"GET / HTTP/1.0\r\nX: ")

        def drips() -> bool:
            try:
                dripping.sendall(b"x")
            except OSError:
                return False
            time.sleep(0.05)
            return True

        assert eventually(lambda: not drips())
        assert eventually(lambda: threading.active_count() == before)
    assert "seven 7.0" in answer(port)
    assert capfd.readouterr().err == ""

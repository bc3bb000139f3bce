"""TCP connections through a router that is loaded."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from tests.waiting import standing_still

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service


@contextmanager
def without_runtime(router: str) -> Iterator[None]:
    """The runtime of the router of that name stands still."""
    with standing_still(service.alive(RunFolder.of(router))):
        yield


def assert_a_connection_outlasts_the_runtime(
    router: str, client: socket.socket, target: str, server: socket.socket, address: str, patience: float
) -> None:
    """The client connects to `target`, where the server listens at `address`; once both have sent, no runtime is needed."""
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((address, 8001))
    server.listen(1)
    client.settimeout(patience)
    client.connect((target, 8001))
    with server.accept()[0] as connection:
        connection.settimeout(patience)
        _converse(client, connection, 3)
        with without_runtime(router):
            _converse(client, connection, 20)


def _converse(client: socket.socket, connection: socket.socket, rounds: int) -> None:
    for _ in range(rounds):
        client.sendall(b"to the server")
        assert connection.recv(100) == b"to the server"
        connection.sendall(b"and back")
        assert client.recv(100) == b"and back"

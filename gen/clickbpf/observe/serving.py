"""HTTP for collectors of metrics: few at a time, and none for long, so that silent clients can't keep others out."""

import socket
import sys
import threading
import time
from contextlib import suppress
from socketserver import TCPServer, ThreadingMixIn

from prometheus_client import CollectorRegistry, MetricsHandler

from clickbpf.errors import ClickError

#: Connections at a time, and seconds that one may last.
MOST_CLIENTS, PATIENCE = 16, 30.0
#: Seconds until the next attempt where the system has nothing left for another connection.
AGAIN_AFTER = 0.1


class Server(ThreadingMixIn, TCPServer):
    """Answers one request on each connection. When there are too many, a new connection replaces the oldest."""

    daemon_threads = allow_reuse_address = True
    request_queue_size = MOST_CLIENTS

    def __init__(self, registry: CollectorRegistry, address: str, port: int):
        self._lock = threading.Lock()
        self._since: dict[socket.socket, float] = {}  # in the order in which they came
        try:
            self.address_family, *_, where = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
            super().__init__(where, Handler.factory(registry))
        except OSError as error:
            raise ClickError(f"metrics can't be served at {address}:{port}: {error.strerror}") from None

    def get_request(self) -> tuple[socket.socket, object]:
        """Wait before the next attempt: the base class would retry in a busy loop while a connection can't be accepted."""
        try:
            return super().get_request()
        except OSError:
            time.sleep(AGAIN_AFTER)
            raise

    def process_request(self, request: socket.socket, client_address: object) -> None:
        with self._lock:
            if len(self._since) >= MOST_CLIENTS:
                self._end(next(iter(self._since)))
            self._since[request] = time.monotonic()
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """Called twice a second by serve_forever()."""
        now = time.monotonic()
        with self._lock:
            for request in [request for request, since in self._since.items() if now - since > PATIENCE]:
                self._end(request)

    def _end(self, request: socket.socket) -> None:
        """End a connection: its thread returns from whatever it waits for."""
        del self._since[request]
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: socket.socket) -> None:
        with self._lock:  # _end() shuts down no descriptor that is another's by then
            self._since.pop(request, None)
            super().shutdown_request(request)

    def handle_error(self, request: socket.socket, client_address: object) -> None:
        """Clients that go away aren't reported."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(MetricsHandler):
    #: Timeout of reading and writing.
    timeout = PATIENCE

"""HTTP for collectors of metrics: connections are few and short, so that silent clients can't keep others out."""

import socket
import sys
import threading
import time
from contextlib import suppress
from socketserver import TCPServer, ThreadingMixIn

from prometheus_client import CollectorRegistry, MetricsHandler

from clickbpf.errors import ClickError

#: The most connections at a time, and the longest duration of one in seconds.
MOST_CLIENTS, PATIENCE = 16, 30.0
#: Seconds until the next attempt if the system has no resources for another connection.
AGAIN_AFTER = 0.1


class Server(ThreadingMixIn, TCPServer):
    """Answers one request on each connection. When there are too many, a new connection replaces the oldest."""

    daemon_threads = allow_reuse_address = True
    request_queue_size = MOST_CLIENTS

    def __init__(self, registry: CollectorRegistry, address: str, port: int):
        self._lock = threading.Lock()
        self._since: dict[socket.socket, float] = {}  # oldest first
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
        """Shut a connection down, which wakes its thread."""
        del self._since[request]
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)

    def shutdown_request(self, request: socket.socket) -> None:
        with self._lock:  # so that _end() can't shut down a descriptor that has been reused
            self._since.pop(request, None)
            super().shutdown_request(request)

    def handle_error(self, request: socket.socket, client_address: object) -> None:
        """Don't report clients that disconnect."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(MetricsHandler):
    #: The timeout of reads and writes, in seconds.
    timeout = PATIENCE

"""Listening control sockets, and their limited number of clients."""

import errno
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.runtime.control import Conversation, Serving
from clickbpf.unixsocket import listen_at

#: The most clients of one socket, and the most that may wait to be accepted.
MOST_CLIENTS, BACKLOG = 64, 128
#: Seconds until the next attempt if the system has no resources for another client.
PATIENCE = 0.1


class Clients:
    """Conversations, each in a thread of its own. When there are too many, a new client replaces the one that has been silent the longest,
    so that silent clients can't keep others out."""

    def __init__(self, serving: Serving):
        self.serving = serving
        self._lock = threading.Lock()
        self._conversations: set[Conversation] = set()

    def serve(self, connection: socket.socket) -> None:
        """Answer one more client."""
        conversation = Conversation(connection, self.serving)
        with self._lock:
            if len(self._conversations) >= MOST_CLIENTS:
                silent = min(self._conversations, key=lambda each: each.heard)
                silent.end(socket.SHUT_RDWR)
                self._conversations.discard(silent)
            self._conversations.add(conversation)
        try:
            threading.Thread(target=self._run, args=(conversation,), name="control", daemon=True).start()
        except RuntimeError:  # no resources for another thread
            self._forget(conversation)
            time.sleep(PATIENCE)

    def _run(self, conversation: Conversation) -> None:
        try:
            conversation.run()
        finally:
            self._forget(conversation)

    def _forget(self, conversation: Conversation) -> None:
        with self._lock:
            self._conversations.discard(conversation)
            conversation.close()

    def end(self) -> None:
        """Accept no more commands, but let clients get pending answers."""
        with self._lock:
            for conversation in self._conversations:
                conversation.end(socket.SHUT_RD)


class ControlServer:
    """Listens on a UNIX socket or a TCP port until closed."""

    def __init__(self, listening: socket.socket, serving: Serving, path: Path | None = None):
        self._listening, self._path = listening, path
        self._clients, self._closing = Clients(serving), False
        self._thread = threading.Thread(target=self._accept, name="control", daemon=True)
        self._thread.start()

    @classmethod
    def unix(cls, path: Path, serving: Serving) -> Self:
        """Listen at `path`, only for the user of this process; replace a socket left by a dead process."""
        if path.is_socket() and _is_left(path):
            path.unlink()
        listening = socket.socket(socket.AF_UNIX)
        os.fchmod(listening.fileno(), private.FILE)  # bind() makes the file with this mode
        with _listening(listening, str(path)):
            listen_at(listening, os.fspath(path), BACKLOG)
        return cls(listening, serving, path)

    @classmethod
    def tcp(cls, port: int, serving: Serving, address: str = "") -> Self:
        listening = socket.socket(socket.AF_INET)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with _listening(listening, f"TCP port {port}"):
            listening.bind((address, port))
            listening.listen(BACKLOG)
        return cls(listening, serving)

    @property
    def port(self) -> int:
        return self._listening.getsockname()[1]

    @property
    def serving(self) -> Serving:
        return self._clients.serving

    def _accept(self) -> None:
        while not self._closing:
            try:
                connection, _ = self._listening.accept()
            except OSError:  # closed, or no descriptors are left
                time.sleep(0 if self._closing else PATIENCE)
                continue
            self._clients.serve(connection)

    def close(self) -> None:
        self._closing = True
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # makes accept() return
        self._thread.join()
        self._listening.close()
        self._clients.end()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


@contextmanager
def _listening(listening: socket.socket, where: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        listening.close()
        raise ClickError(f"cannot listen on {where}: {error.strerror or error}") from None


def _is_left(path: Path) -> bool:
    """Whether no process listens there any more, as opposed to one that is too busy to accept."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.setblocking(False)
        return probe.connect_ex(os.fspath(path)) == errno.ECONNREFUSED

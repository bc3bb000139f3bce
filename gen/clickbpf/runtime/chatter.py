"""A router's standard error for clients of a socket, as with Click's ChatterSocket.

C code, Python and libraries all write to descriptor 2. While there are listeners, the descriptor is a pipe; its data is copied to the
previous file and to the listeners.
"""

import os
import selectors
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress

STANDARD_ERROR = 2
#: The most bytes that a client may fall behind, and the most clients of one socket.
MOST_BEHIND, MOST_CLIENTS = 500_000, 64
CHUNK = 65536
#: Seconds until the next attempt if the system has no resources for another client.
PATIENCE = 0.1


class Copier:
    """Copies standard error to any number of functions, for as long as there are any."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[Callable[[bytes], None], ...] = ()
        self._before = -1
        self._thread: threading.Thread | None = None

    def add(self, listener: Callable[[bytes], None]) -> None:
        """Call `listener` with whatever is written from now on, in a thread of its own."""
        with self._lock:
            if not self._listeners:
                self._begin()
            self._listeners = (*self._listeners, listener)

    def remove(self, listener: Callable[[bytes], None]) -> None:
        with self._lock:
            last = self._listeners == (listener,)
            if last:
                self._end()
            self._listeners = tuple(each for each in self._listeners if each != listener)

    def _begin(self) -> None:
        sys.stderr.flush()
        with ExitStack() as undo:
            before = os.dup(STANDARD_ERROR)
            undo.callback(os.close, before)
            reader, writer = os.pipe()
            undo.callback(os.close, reader)
            with open(writer, "wb"):
                self._before = before
                self._thread = threading.Thread(target=self._copy, args=(reader,), name="chatter", daemon=True)
                self._thread.start()
                undo.pop_all()
                os.dup2(writer, STANDARD_ERROR)

    def _end(self) -> None:
        """Restore the descriptor. This closes the last writing end of the pipe, so its reader ends."""
        sys.stderr.flush()
        os.dup2(self._before, STANDARD_ERROR)
        self._thread.join()
        os.close(self._before)

    def _copy(self, reader: int) -> None:
        with open(reader, "rb", buffering=0) as said:
            while text := said.read(CHUNK):
                os.write(self._before, text)
                for listener in self._listeners:
                    listener(text)


#: The copier of this process.
chatter = Copier()


class Client:
    """A connection, and the bytes still to be sent."""

    def __init__(self, connection: socket.socket, greeting: bytes):
        connection.setblocking(False)
        self.connection, self.behind = connection, bytearray(greeting)

    def send(self) -> bool:
        """Send as much as possible now; False if the connection is to end."""
        try:
            with suppress(BlockingIOError):
                del self.behind[: self.connection.send(self.behind) if self.behind else 0]
        except OSError:
            return False
        return len(self.behind) <= MOST_BEHIND

    def is_there(self) -> bool:
        """Whether the connection is still open; what the client sends is ignored."""
        try:
            return bool(self.connection.recv(CHUNK))
        except BlockingIOError:
            return True
        except OSError:
            return False


class Broadcaster:
    """Sends texts to all clients of a listening socket, which it closes at the end. When there are too many clients, a new one replaces the
    one that is furthest behind, or the oldest of these."""

    def __init__(self, listening: socket.socket, greeting: bytes):
        self._listening, self._greeting = listening, greeting
        self._clients: dict[int, Client] = {}
        self._texts: list[bytes] = []
        self._lock = threading.Lock()
        self._woken, self._waker = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._ending = False
        self._again: float | None = None  # the time to listen again, during a pause
        listening.setblocking(False)
        for opened in (listening, self._woken):
            self._selector.register(opened, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="chatter socket", daemon=True)
        self._thread.start()

    def say(self, text: bytes) -> None:
        """Send a text to all connected clients."""
        with self._lock:
            self._texts.append(text)
        self._waker.send(b"\0")

    def close(self) -> None:
        """Send what can be sent, and end."""
        self._ending = True
        self._waker.send(b"\0")
        self._thread.join()
        for opened in (self._listening, self._woken, self._waker, *(client.connection for client in self._clients.values())):
            opened.close()
        self._selector.close()

    def _run(self) -> None:
        ending = False
        while not ending:
            ready = {key.fileobj for key, _ in self._selector.select(self._listen())}
            ending = self._ending
            if self._listening in ready:
                self._accept()
            if self._woken in ready:
                self._woken.recv(CHUNK)
                self._take()
            for client in list(self._clients.values()):
                self._serve(client, client.connection in ready)

    def _listen(self) -> float | None:
        """Accept clients again when it is time; returns the seconds until then."""
        left = None if self._again is None else self._again - time.monotonic()
        if left is None or left > 0:
            return left
        self._again = None
        self._selector.register(self._listening, selectors.EVENT_READ)
        return None

    def _accept(self) -> None:
        try:
            connection, _ = self._listening.accept()
        except BlockingIOError:
            return
        except OSError:  # no descriptors are left; pause, since a waiting client would keep the socket readable
            self._selector.unregister(self._listening)
            self._again = time.monotonic() + PATIENCE
            return
        if len(self._clients) >= MOST_CLIENTS:
            self._end(max(self._clients.values(), key=lambda each: len(each.behind)))
        self._clients[connection.fileno()] = Client(connection, self._greeting)
        self._selector.register(connection, selectors.EVENT_WRITE)

    def _take(self) -> None:
        with self._lock:
            texts, self._texts = b"".join(self._texts), []
        for client in self._clients.values():
            client.behind += texts

    def _serve(self, client: Client, ready: bool) -> None:
        if client.send() and (not ready or client.is_there()):
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.behind else 0)
            self._selector.modify(client.connection, events)
            return
        self._end(client)

    def _end(self, client: Client) -> None:
        self._selector.unregister(client.connection)
        del self._clients[client.connection.fileno()]
        client.connection.close()

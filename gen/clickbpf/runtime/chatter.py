"""A router's standard error for clients of a socket, as with Click's ChatterSocket.

C code, Python and libraries all write to descriptor 2. While there are listeners, the descriptor is a pipe; its data is copied to the
previous file and to the listeners.
"""

import asyncio
import os
import socket
import sys
import threading
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


class Broadcaster:
    """Sends texts to all clients of a listening socket, which it closes at the end. When there are too many clients, a new one replaces the
    one that is furthest behind, or the oldest of these."""

    def __init__(self, listening: socket.socket, greeting: bytes):
        listening.setblocking(False)
        self._listening, self._greeting = listening, greeting
        self._clients: list[asyncio.StreamWriter] = []
        self._loop, self._ended = asyncio.new_event_loop(), asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="chatter socket", daemon=True)
        self._thread.start()

    def say(self, text: bytes) -> None:
        """Send a text to all connected clients."""
        with suppress(RuntimeError):  # the loop has been closed since the copier began with its listeners
            self._loop.call_soon_threadsafe(self._send, text)

    def close(self) -> None:
        """Send what can be sent, and end."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()
        self._listening.close()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        accepting = asyncio.create_task(self._accept())
        await self._ended.wait()
        accepting.cancel()
        for client in list(self._clients):
            self._end(client)
        await asyncio.sleep(0)  # in which their connections are closed

    async def _accept(self) -> None:
        while True:
            try:
                connection, _ = await self._loop.sock_accept(self._listening)
            except OSError:  # no descriptors are left
                await asyncio.sleep(PATIENCE)
                continue
            reader, client = await asyncio.open_connection(sock=connection)
            if len(self._clients) >= MOST_CLIENTS:
                self._end(max(self._clients, key=_behind))
            self._clients.append(client)
            client.write(self._greeting)
            self._loop.create_task(self._ignore(reader, client))

    async def _ignore(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        """Ignore what a client sends, until it is gone."""
        with suppress(OSError):
            while await reader.read(CHUNK):
                continue
        self._end(client)

    def _send(self, text: bytes) -> None:
        for client in list(self._clients):
            client.write(text)
            if client.is_closing() or _behind(client) > MOST_BEHIND:
                self._end(client)

    def _end(self, client: asyncio.StreamWriter) -> None:
        client.transport.abort()
        if client in self._clients:
            self._clients.remove(client)


def _behind(client: asyncio.StreamWriter) -> int:
    """The number of bytes still to be sent."""
    return client.transport.get_write_buffer_size()

"""Input from a stream socket: lines and counted bytes, up to a limit."""

import socket
import time

#: The most bytes of a command, including its data.
LARGEST = 1 << 20
_PART = 65536


class TooLong(Exception):
    """A command exceeds the limit."""

    def __init__(self) -> None:
        super().__init__(f"a command has at most {LARGEST} bytes, with its data")


class NotEnough(EOFError):
    """The other end has stopped sending before the line or the data was complete."""

    def __init__(self) -> None:
        super().__init__("Not enough data")


class Stream:
    """Lines and counted bytes from a stream socket. Raises NotEnough at its end, and TooLong after `limit` bytes since begin()."""

    def __init__(self, connection: socket.socket, limit: int = LARGEST):
        self._socket, self._limit = connection, limit
        #: Bytes received and not yet taken.
        self._rest = bytearray()
        self._left = limit
        #: The time of the last data, by the monotonic clock.
        self.heard = time.monotonic()

    def begin(self) -> None:
        """Restart the count of bytes taken."""
        self._left = self._limit

    def line(self) -> bytes:
        """The next line without its end."""
        return self.whole_line().rstrip(b"\r\n")

    def last_line(self) -> bytes:
        """The next line without its line end, which may be missing at the end of the stream. NotEnough only if nothing is left."""
        try:
            return self.line()
        except NotEnough:
            if not self._rest:
                raise
            return self._take(len(self._rest))

    def whole_line(self) -> bytes:
        """The next line with its line end. After a CR at the end of the buffer, wait for the next byte, which may be LF."""
        searched = 0
        while True:
            ends = [at for at in (self._rest.find(b"\n", searched), self._rest.find(b"\r", searched)) if at >= 0]
            if ends:
                end = min(ends)
                if self._rest[end : end + 2] == b"\r" and self._more_waiting():
                    self._fill()
                return self._take(end + (2 if self._rest[end : end + 2] == b"\r\n" else 1))
            searched = len(self._rest)
            if searched > self._left:
                raise TooLong
            self._fill()

    def data(self, length: int) -> bytes:
        if length > self._left:
            raise TooLong
        while len(self._rest) < length:
            self._fill()
        return self._take(length)

    def _take(self, length: int) -> bytes:
        if length > self._left:
            raise TooLong
        self._left -= length
        taken = bytes(self._rest[:length])
        del self._rest[:length]
        return taken

    def _more_waiting(self) -> bool:
        try:
            return bool(self._socket.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return False

    def _fill(self) -> None:
        more = self._socket.recv(_PART)
        if not more:
            raise NotEnough
        self._rest += more
        self.heard = time.monotonic()

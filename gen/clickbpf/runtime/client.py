"""A client of Click's ControlSocket protocol (protocol.py): calls handlers of a router in another process."""

import os
import re
import socket
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from clickbpf.closing import Closing
from clickbpf.errors import ClickError
from clickbpf.runtime.failures import Failure, HandlerError
from clickbpf.runtime.protocol import FAILURES, OK, READ_EACH, plain_text
from clickbpf.runtime.stream import LARGEST, Stream

#: The most bytes in a READEACH, so that the command doesn't exceed the router's limit.
_PORTION = LARGEST - 256


class ControlClient(Closing):
    """A client that calls handlers of a router in another process. Raises HandlerError, or ClickError if no router listens or, with
    `patience`, doesn't answer within so many seconds."""

    def __init__(self, where: Path | tuple[str, int], patience: float | None = None):
        try:
            if isinstance(where, tuple):
                self._socket = socket.create_connection(where, patience)
            else:
                self._socket = socket.socket(socket.AF_UNIX)
                self._socket.settimeout(patience)  # also for connect(): a router that hangs accepts no connections
                self._socket.connect(os.fspath(where))
            self._stream = Stream(self._socket, sys.maxsize)
            banner = self._stream.line()
        except (OSError, EOFError) as error:
            raise ClickError(f"no router answers at {where}: {error}") from None
        if not banner.startswith(b"Click::ControlSocket/1."):
            raise ClickError(f"the program that answers at {where} is not a Click router")

    def close(self) -> None:
        self._socket.close()

    def read(self, name: str, argument: str = "") -> str:
        self._command("READDATA", name, argument)
        return plain_text(self._data())

    def _data(self) -> bytes:
        with self._there():
            _, _, length = self._stream.line().partition(b" ")
            return self._stream.data(int(length))

    def read_each(self, names: Sequence[str]) -> Iterator[str | HandlerError]:
        """The values of many handlers, in order, or the error for a handler that can't be read. A name may be followed by a space and an
        argument of one line."""
        lines = [name.encode("utf-8", "surrogateescape") + b"\n" for name in names]
        done = 0
        while done < len(lines):
            asked = b"".join(_portion(lines, done))
            self._send(f"{READ_EACH} {len(asked)}\r\n".encode() + asked, READ_EACH)
            answers = list(_answers(self._data()))
            if not answers:
                raise ClickError(f"the router answers {READ_EACH} with nothing")
            for code, text in answers:
                yield text if code == OK else _failed(code, text.split("\n"), names[done].partition(" ")[0])
                done += 1

    def write(self, name: str, text: str = "") -> list[str]:
        """Returns the handler's warnings."""
        return [line.removeprefix("warning: ") for line in self._command("WRITEDATA", name, text)[1:]]

    def allows(self, name: str, for_writing: bool) -> bool:
        """Whether this client can call a handler."""
        try:
            self._send(_line("CHECKWRITE" if for_writing else "CHECKREAD", name), name)
        except HandlerError:
            return False
        return True

    def call(self, command: str) -> None:
        """Send a command without arguments."""
        self._send(f"{command}\r\n".encode(), command)

    def stream(self, command: str, argument: str) -> Iterator[bytes]:
        """Send a command that is answered by a stream; yields the stream's portions until the router ends it. HandlerError if the command
        is refused."""
        self._send(f"{command} {argument}\r\n".encode("utf-8", "surrogateescape"), command)
        return self._portions()

    def finish(self) -> None:
        """End a stream, and wait until the router has finished its part."""
        with suppress(OSError, EOFError):
            self._socket.shutdown(socket.SHUT_WR)
            for _ in self._portions():
                continue

    def _portions(self) -> Iterator[bytes]:
        with suppress(OSError, EOFError):
            while True:
                yield self._stream.data(struct.unpack("=I", self._stream.data(4))[0])

    def _command(self, command: str, name: str, text: str) -> list[str]:
        data = text.encode("utf-8", "surrogateescape")
        return self._send(_line(command, name, str(len(data))) + data, name)

    def _send(self, request: bytes, name: str) -> list[str]:
        """Send a request; returns the lines of the answer."""
        with self._there():
            self._socket.sendall(request)
            code, lines = self._answer()
        if code >= 300:
            raise _failed(code, lines, name)
        return lines

    @contextmanager
    def _there(self) -> Iterator[None]:
        """Close the connection on failure, since a late answer would be mistaken for that to the next request."""
        try:
            yield
        except (OSError, EOFError) as error:
            self.close()
            raise ClickError(f"the router went away: {error}") from None

    def _answer(self) -> tuple[int, list[str]]:
        lines = []
        while True:
            line = plain_text(self._stream.line())
            lines.append(line[4:])
            if line[3:4] != "-":
                return int(line[:3]), lines


def _line(*words: str) -> bytes:
    """A command's line. ClickError for a word with white space or a zero byte, which would be two words or begin another command."""
    for word in words:
        if not re.fullmatch(r"[^\s\0]+", word):
            raise ClickError(f"{word!r} can't be the name of a handler")
    return " ".join(words).encode("utf-8", "surrogateescape") + b"\r\n"


def _failed(code: int, lines: list[str], name: str) -> HandlerError:
    """The router's error about a handler."""
    failure = FAILURES.get(code, Failure.FAILED)
    said = lines[1:] if failure is Failure.FAILED and len(lines) > 1 else lines
    return HandlerError(failure, "\n".join(said), handler=name if said is not lines else "")


def _portion(lines: Sequence[bytes], begin: int) -> Iterator[bytes]:
    """As many lines from `begin` on as fit into one command, but at least one."""
    size = 0
    for line in islice(lines, begin, None):
        size += len(line)
        if size > max(_PORTION, len(line)):
            return
        yield line


def _answers(data: bytes) -> Iterator[tuple[int, str]]:
    """The code and text of each answer in a READEACH's data."""
    at = 0
    while at < len(data):
        end = data.index(b"\r\n", at)
        code, _, length = data[at:end].partition(b" ")
        at = end + 2 + int(length)
        yield int(code), plain_text(data[end + 2 : at])

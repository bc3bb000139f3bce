"""A client of the control socket: Click's ControlSocket protocol, version 1.3."""

from __future__ import annotations

import re
import socket
from pathlib import Path

from clickbpf.errors import ClickError

GREETING = "Click::ControlSocket/"
#: Seconds to wait for an answer.
PATIENCE = 30


class Control:
    """A connection to a running router."""

    def __init__(self, path: Path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(PATIENCE)
        try:
            self._socket.connect(str(path))
            self._stream = self._socket.makefile("rb")
            greeting = self._line()
        except OSError as error:
            self._socket.close()
            raise ClickError(f"the router does not answer at {path}: {error.strerror or error}") from None
        if not greeting.startswith(GREETING):
            self.close()
            raise ClickError(f"{path} is not a router's control socket")

    def read(self, handler: str, parameters: str = "") -> bytes:
        """The value of a read handler, "element.handler" or a global one's name; ClickError if the router refuses."""
        self._send(f"READ {handler} {parameters}".rstrip().encode())
        self._answer()
        length = re.fullmatch(r"DATA (\d+)", self._line())
        if not length:
            raise ClickError("the router's answer can't be understood")
        return self._stream.read(int(length[1]))

    def write(self, handler: str, value: bytes) -> str:
        """Write a handler; what the router says to it. ClickError if it refuses."""
        self._send(f"WRITEDATA {handler} {len(value)}".encode(), value)
        return self._answer()

    def _send(self, line: bytes, data: bytes = b"") -> None:
        try:
            self._socket.sendall(line + b"\r\n" + data)
        except OSError as error:
            raise ClickError(f"the router went away: {error.strerror}") from None

    def _answer(self) -> str:
        """The text of an answer, whose lines are `CODE-TEXT` up to the last, `CODE TEXT`; codes from 500 on refuse."""
        texts = []
        while True:
            answer = re.fullmatch(r"(\d{3})([- ])(.*)", self._line())
            if not answer:
                raise ClickError("the router's answer can't be understood")
            texts.append(answer[3])
            if answer[2] == " ":
                break
        if int(answer[1]) >= 300:
            raise ClickError("\n    ".join(texts))
        return "\n".join(texts)

    def _line(self) -> str:
        line = self._stream.readline()
        if not line.endswith(b"\n"):
            raise ClickError("the router went away")
        return line.decode(errors="replace").rstrip("\r\n")

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Control:
        return self

    def __exit__(self, *exception) -> None:
        self.close()

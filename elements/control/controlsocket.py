"""ControlSocket: opens the router's handlers to other programs."""

from __future__ import annotations

from pathlib import Path

from clickbpf.args import Bool, Enum, Integer, Keyword, Required, String
from clickbpf.args.error import ArgError
from clickbpf.args.types.number import scan_integer
from clickbpf.element import CONTROL, Element, read_handler
from clickbpf.errors import ClickError
from clickbpf.runtime.control import ControlServer

#: Ports to try after the first for PORT+.
ATTEMPTS = 100


class ControlSocket(Element):
    """opens control sockets for other programs

    Synopsis: `ControlSocket(TCP, PORT [, KEYWORD ...])`, `ControlSocket(UNIX, FILENAME [, KEYWORD ...])`

    Listens on a TCP port or a UNIX socket and lets who connects call the router's handlers, in Click's ControlSocket
    protocol 1.3. `PORT+` takes the first free port from PORT on. `clickbpf read` and `write` speak it.

    Arguments:

      - READONLY: Boolean. Allow no write handlers. Default is false.
      - LOCALHOST: Boolean. Accept TCP connections from this machine only. Default is false.
      - PROXY: An element whose handlers stand for all: E.H means PROXY.E.H.
      - VERBOSE, RETRIES, RETRY_WARNINGS: Accepted, of no effect.

    Handlers: `port` or `filename`.

    Example:

        ControlSocket(UNIX, /run/router.sock, READONLY true);
    """

    ports = "0/0"
    processing = "a/a"
    runs = CONTROL
    args = (
        Required("TYPE", Enum(TCP="tcp", UNIX="unix", tcp="tcp", unix="unix")),
        Required("WHERE", String()),
        Keyword("READONLY", Bool(), False),
        Keyword("LOCALHOST", Bool(), False),
        Keyword("PROXY", String(), ""),
        Keyword("VERBOSE", Bool(), False),
        Keyword("RETRIES", Integer(32), 0),
        Keyword("RETRY_WARNINGS", Bool(), True),
    )

    def configure(self) -> None:
        self._server: ControlServer | None = None
        if self.cfg.type == "tcp":
            port = scan_integer(self.cfg.where.removesuffix("+"))
            if not port or port[1] != len(self.cfg.where.removesuffix("+")) or not 0 <= port[0] < 65536:
                raise ArgError(f"'{self.cfg.where}' is no TCP port", argument="WHERE")
            self.cfg.port = port[0]

    def started(self) -> None:
        handlers = self.runtime.host.handlers
        prefix = f"{self.cfg.proxy}." if self.cfg.proxy else ""
        try:
            if self.cfg.type == "unix":
                self._server = ControlServer.unix(Path(self.cfg.where), handlers, self.cfg.readonly, prefix)
            else:
                self._server = self._listen(handlers, prefix)
        except ClickError as error:
            raise ArgError(error.diagnostics[0].message, argument="WHERE") from None

    def _listen(self, handlers, prefix: str) -> ControlServer:
        address = "127.0.0.1" if self.cfg.localhost else ""
        last = self.cfg.port + (ATTEMPTS if self.cfg.where.endswith("+") else 0)
        for port in range(self.cfg.port, last):
            try:
                return ControlServer.tcp(port, handlers, self.cfg.readonly, address, prefix)
            except ClickError:
                continue
        return ControlServer.tcp(last, handlers, self.cfg.readonly, address, prefix)

    def finished(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    @read_handler
    def port(self) -> str:
        return str(self._server.port) if self._server and self.cfg.type == "tcp" else ""

    @read_handler
    def filename(self) -> str:
        return self.cfg.where if self.cfg.type == "unix" else ""

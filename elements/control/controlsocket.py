import os
import socket
from pathlib import Path

from clickbpf.declare import (
    CONTROL, KEPT, LOST, NAMES_ANYWHERE, SAME, ArgError, Bool, ClickError, Element, ElementRef, Enum, Held, Integer, Keyword, ListOf,
    Required, Right, Self, String, read_handler, written_integer,
)
from clickbpf.runtime.control import Serving
from clickbpf.runtime.listening import Clients, ControlServer

#: Ports to try after the first for PORT+.
ATTEMPTS = 100
KINDS = {kind: kind.upper() for name in ("TCP", "UNIX", "SOCKET") for kind in (name, name.lower(), name.capitalize())}


class ControlSocket(Element, ports="0/0", processing="a/a", runs=CONTROL, traits=NAMES_ANYWHERE):
    """opens control sockets for other programs

    Synopsis: `ControlSocket(TCP, PORT [, KEYWORD ...])`, `ControlSocket(UNIX, FILENAME [, KEYWORD ...])`,
    `ControlSocket(SOCKET, FD [, KEYWORD ...])`

    Listens on a TCP port or a UNIX socket and lets clients call the router's handlers, in Click's ControlSocket protocol 1.3; or
    serves the one connection FD, which is open when the process starts. `PORT+` takes the first free port from PORT on. `clickbpf
    read` and `clickbpf write` speak the protocol. Only the user of the process can connect to a UNIX socket. `READEACH n`, an
    addition to Click's protocol, takes n bytes of lines, each `HANDLER [ARGUMENT]`, and reads all these handlers: the reply has a
    line with code and length for each, and its value.

    A command has at most 1,048,576 bytes, including its data; a client that sends more gets an error and is disconnected. The
    argument of a read handler has at most 65,536 bytes. There are at most 64 clients: a new one replaces the one silent for
    longest.

    Connections outlive a change of configuration if the new one has an element of the same name with the same arguments.

    Handlers: `port` or `filename`.

    Example: ControlSocket(UNIX, /run/router.sock, READONLY true);
    """

    args = (
        Required("TYPE", Enum(**KINDS)),
        Required("WHERE", String()),
        Keyword("READONLY", Bool(), None, "Boolean. Allow no write handlers, no LLRPCs, and no read handlers that change something, such "
            "as a Script's `run`. Default is false, as in Click, but true for TCP in a router that `clickbpf load` runs in the "
            "background: writing over the network then requires an explicit READONLY false"),
        Keyword("LOCALHOST", Bool(), False, "Boolean. Accept TCP connections from this machine only"),
        Keyword("PROXY", ElementRef(), text="An element, such as a Script of TYPE PROXY, to receive all calls of clients: a client's "
            "`e.h` calls the element's handler `e.h`. If READONLY is true, reading through a Script requires the right ACT"),
        Keyword("RIGHTS", ListOf(Enum(**{right.name: right for right in Right})), (), "Words: the rights of clients; processes of the "
            "router's user on this machine have all rights on a UNIX socket. FILES: write files named by the client. CALLS: make the "
            "router call handlers through others, such as Counter's `count_call`. CONFIGURE: replace the configuration (`hotconfig`). "
            "SECRETS: see keys, otherwise hidden in `config`. ACT: call LLRPCs and read handlers that change something, even if READONLY "
            "is true. Default is none. docs/security.md lists the handlers"),
        Keyword("VERBOSE", Bool(), False, "Accepted, of no effect"),
        Keyword("RETRIES", Integer(32), 0, SAME),
        Keyword("RETRY_WARNINGS", Bool(), True, SAME),
    )
    holds = (Held("clients", KEPT, LOST),)

    def configure(self) -> None:
        self._server: ControlServer | None = None
        self._serving: Serving | None = None
        self._where = self.cfg.where
        if self.cfg.type != "UNIX":
            what = "TCP port" if self.cfg.type == "TCP" else "file descriptor"
            number = written_integer(self.cfg.where.removesuffix("+") if self.cfg.type == "TCP" else self.cfg.where)
            if number is None or not 0 <= number < 65536:
                raise ArgError(f"'{self.cfg.where}' is no {what}", argument="WHERE")
            self.cfg.number = number

    def hotswap_element(self) -> Self | None:
        before = super().hotswap_element()
        if before is None or before.cfg.type != self.cfg.type:
            return None
        same = before._where == self._where or before.cfg.where == self.cfg.where
        return before if same or (self.cfg.type == "TCP" and self._where.endswith("+")) else None

    def started(self) -> None:
        if self.hotswap_element() is not None:
            return
        try:
            self._open()
        except (ClickError, OSError) as error:
            message = error.diagnostics[0].message if isinstance(error, ClickError) else f"{self.cfg.where}: {error.strerror}"
            raise ArgError(message, argument="WHERE") from None

    def _open(self) -> None:
        serving = self._to_serve()
        if self.cfg.type == "UNIX":
            self._server = ControlServer.unix(Path(self.cfg.where), serving)
        elif self.cfg.type == "TCP":
            self._server = self._listen(serving)
            self._where = str(self._server.port)
        else:
            Clients(serving).serve(socket.socket(fileno=os.dup(self.cfg.number)))
            self._serving = serving

    def _to_serve(self) -> Serving:
        return Serving(self.runtime.handlers, self._read_only(), self.cfg.proxy, frozenset(self.cfg.rights))

    def _read_only(self) -> bool:
        if self.cfg.readonly is None:
            return self.cfg.type == "TCP" and self.runtime.unattended
        return self.cfg.readonly

    def _listen(self, serving: Serving) -> ControlServer:
        address = "127.0.0.1" if self.cfg.localhost else ""
        last = self.cfg.number + (ATTEMPTS if self.cfg.where.endswith("+") else 0)
        for port in range(self.cfg.number, last):
            try:
                return ControlServer.tcp(port, serving, address)
            except ClickError:
                continue
        return ControlServer.tcp(last, serving, address)

    def take_state(self, before: Self) -> None:
        """Take the socket and its clients, which call this router's handlers from now on."""
        self._server, before._server = before._server, None
        self._serving, before._serving = before._serving, None
        self._where = before._where
        serving = self._server.serving if self._server else self._serving
        if serving is not None:
            to_serve = self._to_serve()
            serving.handlers, serving.rights = to_serve.handlers, to_serve.rights
            serving.read_only, serving.proxy = to_serve.read_only, to_serve.proxy

    def finished(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    port = read_handler(lambda self: str(self._server.port) if self._server and self.cfg.type == "TCP" else "")
    filename = read_handler(lambda self: self.cfg.where if self.cfg.type == "UNIX" else "")

import os
import socket
import threading
from contextlib import suppress

from clickbpf import private
from clickbpf.unixsocket import listen_at
from clickbpf.declare import (
    CONTROL, KEPT, LOST, NAMES_ANYWHERE, ArgError, Bool, Element, Enum, Filename, Held, IPPort, Integer, Keyword, Required, Self, String,
    Word, read_handler,
)
from clickbpf.runtime.chatter import Broadcaster, chatter

from ..common._warning import warn

KINDS = {kind: name for name in ("TCP", "UNIX") for kind in (name, name.lower())}
VERSION = "1.0"
#: The channel of all the router's messages.
DEFAULT = "default"
#: The listen backlog, and seconds between two attempts to open the socket.
BACKLOG, PATIENCE = 2, 1.0


class ChatterSocket(Element, ports="0/0", processing="a/a", runs=CONTROL, traits=NAMES_ANYWHERE):
    """sends the router's messages to other programs

    Synopsis: `ChatterSocket(TCP, PORT, [KEYWORD ...])`, `ChatterSocket(UNIX, FILENAME, [KEYWORD ...])`

    Listens on a TCP port or a UNIX socket. A client gets a greeting, `Click::ChatterSocket/1.0` and a line end, and then a copy of
    the process's standard error: errors, and the output of elements such as Print. A client more than 500,000 bytes behind is
    disconnected. There are at most 64 clients: a new one replaces the one furthest behind, or among equals the oldest one. Only the
    user of the process can connect to a UNIX socket.

    Arguments:

      - PORT, or FILENAME: where to listen.

    Example: `socat - unix:/run/router.log` shows the packets:

        ChatterSocket(UNIX, /run/router.log);
        FromDevice(eth0) -> Print -> Discard;
    """

    args = (
        Required("TYPE", Enum(**KINDS)),
        Required("WHERE", String()),
        Keyword("CHANNEL", Word(), DEFAULT, "a channel's name. Elements write only to the channel `default`, the default; others are "
            "silent"),
        Keyword("QUIET_CHANNEL", Bool(), True, "accepted, of no effect"),
        Keyword("GREETING", Bool(), True, "whether to greet"),
        Keyword("RETRIES", Integer(32, signed=True), 0, "how often to retry, a second after each failure, if the socket can't be opened; "
            "then the router stops. Default 0: the router doesn't start. A router that replaces another one needs at least 1"),
        Keyword("RETRY_WARNINGS", Bool(), True, "whether to report each attempt that fails"),
    )
    holds = (Held("clients", KEPT, LOST),)

    def configure(self) -> None:
        self._broadcaster: Broadcaster | None = None
        self._retry: threading.Timer | None = None
        kind = IPPort(socket.IPPROTO_TCP) if self.cfg.type == "TCP" else Filename()
        try:
            self._where = kind.parse(self.cfg.where, self.context)
        except ArgError as error:
            raise ArgError(error.message, error.hint, argument="WHERE") from None

    def hotswap_element(self) -> Self | None:
        before = super().hotswap_element()
        same = before is not None and (before.cfg.type, before._where, before.cfg.channel) == (self.cfg.type, self._where, self.cfg.channel)
        return before if same and self.cfg.retries > 0 else None

    def started(self) -> None:
        if self.hotswap_element() is None:
            self._try(self.cfg.retries)

    def take_state(self, before: Self) -> None:
        self._broadcaster, before._broadcaster, self._port = before._broadcaster, None, before._port

    def _try(self, left: int) -> None:
        """Open the socket; `left` more attempts may follow."""
        try:
            self._open()
        except OSError as error:
            message = f"{'bind' if error.errno else 'socket'}: {error.strerror or error}"
            if left <= 0 and self.cfg.retries <= 0:
                raise ArgError(message, argument="WHERE") from None
            if self.cfg.retry_warnings or left <= 0:
                warn(self, f"{message} ({left} {'try' if left == 1 else 'tries'} left)", "warning" if left else "error")
            self._later(left)

    def _later(self, left: int) -> None:
        if left <= 0:
            self.runtime.stop()
            return
        self._retry = threading.Timer(PATIENCE, self._try, (left - 1,))
        self._retry.daemon = True
        self._retry.start()

    def _open(self) -> None:
        family = socket.AF_INET if self.cfg.type == "TCP" else socket.AF_UNIX
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            if family == socket.AF_INET:
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listening.bind(("", self._where))
                listening.listen(BACKLOG)
            else:
                os.fchmod(listening.fileno(), private.FILE)  # what bind() makes has this mode from its first moment
                listen_at(listening, self._where, BACKLOG)
        except OSError:
            listening.close()
            raise
        greeting = f"Click::ChatterSocket/{VERSION}\r\n".encode() if self.cfg.greeting else b""
        self._port = listening.getsockname()[1] if family == socket.AF_INET else None
        self._broadcaster = Broadcaster(listening, greeting)
        if self.cfg.channel == DEFAULT:
            chatter.add(self._broadcaster.say)

    def finished(self) -> None:
        if self._retry is not None:
            self._retry.cancel()
        if self._broadcaster is None:
            return
        if self.cfg.channel == DEFAULT:
            chatter.remove(self._broadcaster.say)
        self._broadcaster.close()
        self._broadcaster = None
        if self.cfg.type == "UNIX":
            with suppress(FileNotFoundError):
                os.unlink(self._where)

    port = read_handler(lambda self: str(self._port) if self._broadcaster and self.cfg.type == "TCP" else "", text="the TCP port")

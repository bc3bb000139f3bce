import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address

from clickbpf.unixsocket import listen_at
from clickbpf.declare import (
    COUNTED, LOST, NAMES_ANYWHERE, SAME, ArgError, Bool, Constants, ElementRef, Filename, Held, IPAddress, IPPort, Keyword, Optional,
    Private, Raw, Required, String, Type, c_string, declared_class, ptr, s32, u32, u8,
)

from ..ip._iproutetable import IPRouteTable
from ._address import SIZE, c_array, check_path, inet, unix
from ._descriptor import HEADROOM, RCVBUF, SNAPLEN, SNDBUF, TIMESTAMP, SocketElement, failure, set_buffers, set_option

#: TYPE -> address family, kind of socket, IP protocol.
TYPES = {
    "TCP": (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP),
    "UDP": (socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_UDP),
    "UNIX": (socket.AF_UNIX, socket.SOCK_STREAM, 0),
    "UNIX_DGRAM": (socket.AF_UNIX, socket.SOCK_DGRAM, 0),
}
NOWHERE = IPv4Address(0)
#: The listen backlog.
BACKLOG = 2


class Socket(SocketElement, traits=NAMES_ANYWHERE):
    """sends and receives packets over a socket

    Synopsis: `Socket(TCP, ADDR, PORT, [LOCAL_ADDR, LOCAL_PORT, KEYWORD ...])`, `Socket(UDP, ...)` the same,
    `Socket(UNIX, FILENAME, [LOCAL_FILENAME, KEYWORD ...])`, `Socket(UNIX_DGRAM, ...)` the same

    Received data leave by the output: a datagram as one packet, or the available bytes of a stream. Packets from the input are sent
    unchanged.

    A stream server listens at the address and serves one client at a time; without a client it drops packets. A stream client
    connects to the address when the router begins; if nobody answers, the router doesn't start. A datagram server sends to the
    client heard from last, and drops packets before the first; a datagram client sends to the address or, if that is 0.0.0.0, to
    each packet's destination address annotation. When a connection ends or fails, a server waits for the next one.

    A pushed packet waits until the socket has room. Packets are pulled as fast as the socket accepts them.

    FromSocket and ToSocket are older names.

    Arguments:

      - ADDR, PORT; or FILENAME: the server's address. A name beginning with a zero byte is in Linux's abstract namespace.
      - LOCAL_ADDR, LOCAL_PORT; or LOCAL_FILENAME: a client's own address. By default Linux chooses.

    Example: a server that gives back what it gets:

        s :: Socket(TCP, 0.0.0.0, 7) -> s;
    """

    aliases = ("FromSocket", "ToSocket")
    args = (
        Required("TYPE", String()),
        Optional("ADDR", Raw()),
        Optional("PORT", Raw()),
        Optional("LOCAL_ADDR", Raw()),
        Optional("LOCAL_PORT", Raw()),
        Keyword("FILENAME", Filename()),
        Keyword("LOCAL_FILENAME", Filename()),
        SNAPLEN,
        HEADROOM,
        TIMESTAMP,
        RCVBUF,
        SNDBUF,
        Keyword("NODELAY", Bool(), True, "for TCP, whether to send small packets at once"),
        Keyword("VERBOSE", Bool(), False, "true to report on standard error when connections begin and end"),
        Keyword("CLIENT", Bool(), text="true for a client, false for a server. Default is a server, unless there is no output or a "
            "client's own address is given"),
        Keyword("PROPER", Bool(), False, "accepted, of no effect"),
        Keyword("ALLOW", ElementRef(), text="routing tables, such as RadixIPLookup, to select a server's clients: a client with a route "
            "in ALLOW is served; otherwise one with a route in DENY isn't; all others are"),
        Keyword("DENY", ElementRef(), text=SAME),
    )
    annotations = ("EXTRA_LENGTH",)
    #: `fd`: the descriptor opened at initialisation; `active`: the one for packets, -1 for none.
    state_types = {
        "socket": Private(fd=s32, active=s32, peer_length=u32, peer=u8 * SIZE),
        "sender": Private(waiting=ptr),
    }
    holds = (Held("a packet that the socket has no room for", COUNTED, LOST), Held("connections", LOST, LOST))

    def warnings(self) -> Iterable[ArgError]:
        if declared_class(self) in self.aliases:
            yield ArgError(f"{declared_class(self)} is deprecated, use Socket instead")

    def configure(self) -> None:
        super().configure()
        cfg = self.cfg
        kind = cfg.type.upper()
        if kind not in TYPES:
            raise ArgError(f"unknown socket type '{cfg.type}'", "TCP, UDP, UNIX or UNIX_DGRAM", argument="TYPE")
        self.family, self.kind, self.protocol = TYPES[kind]
        if cfg.client is None:
            cfg.client = self.noutputs == 0 or self._is_bound_elsewhere()
        self.remote, self.local = self._inet_addresses() if self.family == socket.AF_INET else self._unix_addresses()
        for name in (cfg.allow, cfg.deny):
            class_ = name and self.context.class_of(name)
            if class_ and not issubclass(class_, IPRouteTable):
                raise ArgError(f"{name} is not an IPRouteTable")

    def _is_bound_elsewhere(self) -> bool:
        """Whether the arguments include a client's own address, besides the server's."""
        cfg = self.cfg
        own = (cfg.local_addr, cfg.local_port) if self.family == socket.AF_INET else (cfg.local_filename, cfg.port)
        return any(part is not None for part in own)

    def _inet_addresses(self) -> tuple[bytes, bytes]:
        cfg, port = self.cfg, IPPort(self.protocol)
        if cfg.filename is not None or cfg.local_filename is not None:
            raise ArgError(f"{cfg.type} sockets have no FILENAME")
        address, number = self._value("ADDR", IPAddress()), self._value("PORT", port)
        self.anywhere = cfg.client and self.kind == socket.SOCK_DGRAM and address == NOWHERE
        local = self._value("LOCAL_ADDR", IPAddress(), NOWHERE), self._value("LOCAL_PORT", port, 0)
        return inet(address, number), b"" if local[1] == 0 and local[0] == NOWHERE else inet(*local)

    def _unix_addresses(self) -> tuple[bytes, bytes]:
        """The addresses of UNIX sockets: the arguments have file names in the place of addresses."""
        cfg = self.cfg
        if cfg.local_addr is not None or cfg.local_port is not None:
            raise ArgError("too many arguments", "Socket(UNIX, FILENAME, [LOCAL_FILENAME, KEYWORD ...])")
        self.anywhere = False
        remote = self._value("ADDR", Filename()) if cfg.filename is None else cfg.filename
        local = self._value("PORT", Filename(), "") if cfg.local_filename is None else cfg.local_filename
        check_path(remote, "ADDR")
        check_path(local, "PORT")
        self._path = local if cfg.client else remote
        return unix(remote), unix(local) if local else b""

    def _value(self, name: str, type_: Type, default=None):
        text = getattr(self.cfg, name.lower())
        if text is None and default is None:
            raise ArgError(f"{name} is missing" if self.family == socket.AF_INET else "FILENAME is missing")
        try:
            return default if text is None else type_.parse(text, self.context)
        except ArgError as error:
            raise ArgError(error.message, error.hint, argument=name) from None

    def constants(self) -> Constants:
        cfg = self.cfg
        datagrams = self.kind == socket.SOCK_DGRAM
        facts = {
            "client": cfg.client,
            "datagrams": datagrams,
            "listens": not cfg.client and not datagrams,
            "anywhere": self.anywhere,
            "choosy": bool(cfg.allow or cfg.deny),
        }
        return {**super().constants(), **{name: ("bool", Bool().c_value(fact)) for name, fact in facts.items()}}

    def code(self) -> str:
        return (
            super().code()
            + f"static const char SELF(class)[] = {c_string(self.class_name())};\n"
            + f"enum {{ SELF(address_size) = {SIZE} }};\n"
            + c_array("remote", self.remote)
        )

    def initialise(self) -> None:
        cfg = self.cfg
        opened = self.open(self.family, self.kind, self.protocol)
        if self.protocol == socket.IPPROTO_TCP and cfg.nodelay:
            set_option(opened, socket.IPPROTO_TCP, "TCP_NODELAY", 1)
        set_buffers(opened, cfg.sndbuf, cfg.rcvbuf)
        if self.protocol == socket.IPPROTO_TCP:
            set_option(opened, socket.SOL_SOCKET, "SO_REUSEADDR", 1)
        own = self.local if cfg.client else self.remote
        listens = self.kind == socket.SOCK_STREAM and not cfg.client
        if own:
            self._call("bind", opened, own, listens)
        if cfg.client and self.kind == socket.SOCK_STREAM:
            self._call("connect", opened, self.remote)
        opened.setblocking(False)
        self.state.socket.fd = opened.fileno()

    def _call(self, name: str, opened: socket.socket, address: bytes, listens: bool = False) -> None:
        """Call bind(), and listen() if `listens`, or connect(), with an address in the kernel's layout."""
        named = self.family == socket.AF_UNIX and address[2] != 0
        known = (str(IPv4Address(address[4:8])), int.from_bytes(address[2:4], "big")) if self.family == socket.AF_INET else None
        try:
            if named and listens:
                listen_at(opened, os.fsdecode(address[2:-1]), BACKLOG)
            else:
                getattr(opened, name)(known or (address[2:-1] if named else address[2:]))
                if listens:
                    opened.listen(BACKLOG)
        except OSError as error:
            raise failure(name, error) from None
        self._bound = named and name == "bind"

    def finished(self) -> None:
        super().finished()
        if getattr(self, "_bound", False):
            self._bound = False
            with suppress(FileNotFoundError):
                os.unlink(self._path)

    def called(self, value: int) -> int:
        """Whether to serve a client with this address, in network byte order."""
        address = int.from_bytes(value.to_bytes(4, "little"), "big")
        allow, deny = (self.runtime.element(name) if name else None for name in (self.cfg.allow, self.cfg.deny))
        return int(bool(allow and allow.find(address)) or not (deny and deny.find(address)))

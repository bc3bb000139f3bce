"""The base of elements with a socket: arguments for received packets, and the socket's lifetime.

Python opens the socket when the element is initialised, and closes it at the end; C reads and writes.
"""

import socket

from clickbpf.declare import SAME, USER, ArgError, Bool, Element, Integer, Keyword

#: Longer than any packet.
LONGEST = 1 << 16
BUFFER = Integer(32, signed=True)

SNAPLEN = Keyword("SNAPLEN", Integer(32, low=1, high=LONGEST), 2048, "the longest packet to receive, in bytes, at most 65536. "
    "The rest of a longer one is lost, and counted in the EXTRA_LENGTH annotation")
TIMESTAMP = Keyword("TIMESTAMP", Bool(), True, "whether to set packets' timestamp to the time of arrival")
HEADROOM = Keyword("HEADROOM", Integer(32), text="accepted, of no effect")
RCVBUF = Keyword("RCVBUF", BUFFER, -1, "sizes of the kernel's buffers, in bytes. Default is the kernel's")
SNDBUF = Keyword("SNDBUF", BUFFER, -1, SAME)


class SocketElement(Element, ports="0-1/0-1", processing="a/h", flow="x/y", runs=USER):
    """Provides the C code with the buffer SELF(buffer) of SNAPLEN bytes."""

    def begin(self) -> None:
        self._sockets: list[socket.socket] = []

    def code(self) -> str:
        return f"static __u8 SELF(buffer)[{self.cfg.snaplen}] SCRATCH;\n"

    def open(self, family: int, kind: int, protocol: int = 0) -> socket.socket:
        """Open a socket, to be closed when the router ends."""
        try:
            opened = socket.socket(family, kind, protocol)
        except OSError as error:
            raise failure("socket", error) from None
        self._sockets.append(opened)
        return opened

    def finished(self) -> None:
        for opened in self._sockets:
            opened.close()
        self._sockets.clear()


def set_option(of: socket.socket, level: int, name: str, value: int | bytes) -> None:
    """setsockopt(), by the option's name in the socket module."""
    try:
        of.setsockopt(level, getattr(socket, name), value)
    except OSError as error:
        raise failure(f"setsockopt({name})", error) from None


def set_buffers(of: socket.socket, sndbuf: int = -1, rcvbuf: int = -1) -> None:
    """Set the sizes of the kernel's buffers, unless negative."""
    for name, size in (("SO_SNDBUF", sndbuf), ("SO_RCVBUF", rcvbuf)):
        if size >= 0:
            set_option(of, socket.SOL_SOCKET, name, size)


def failure(call: str, error: OSError) -> ArgError:
    return ArgError(f"{call}: {error.strerror or error}")

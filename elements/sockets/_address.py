"""Socket addresses in C's layout: struct sockaddr_in and sockaddr_un."""

import os
import socket
import struct
from ipaddress import IPv4Address

from clickbpf.declare import ArgError

#: Bytes of struct sockaddr_un's path.
PATH = 108
#: Bytes of the longest address.
SIZE = 2 + PATH


def inet(address: IPv4Address, port: int) -> bytes:
    """struct sockaddr_in."""
    return struct.pack("=H", socket.AF_INET) + struct.pack(">H", port) + address.packed + bytes(8)


def unix(path: str) -> bytes:
    """struct sockaddr_un, without the bytes after the name; a name beginning with a zero byte is abstract."""
    name = os.fsencode(path)
    return struct.pack("=H", socket.AF_UNIX) + name + (b"" if name.startswith(b"\0") else b"\0")


def check_path(path: str, argument: str) -> None:
    """Raises ArgError if the name is too long for a socket."""
    if len(unix(path)) > SIZE:
        raise ArgError(f"filename '{path}' too long", f"{PATH - 1} bytes at most", argument=argument)


def c_array(name: str, address: bytes) -> str:
    """A C array, and its length SELF(name_length)."""
    values = ", ".join(map(str, address))
    return (
        f"static const __u8 SELF({name})[] __attribute__((unused)) = {{ {values or '0'} }};\n"
        f"enum {{ SELF({name}_length) = {len(address)} }};\n"
    )

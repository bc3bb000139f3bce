"""Packets with comments in pcapng files (draft-ietf-opsawg-pcapng), for Wireshark and tcpdump."""

import struct
from collections.abc import Sequence
from typing import BinaryIO

#: Link types: Ethernet, and packets that begin with an IP header.
ETHERNET, RAW = 1, 101
#: Directions of a packet on its interface.
INBOUND, OUTBOUND = 1, 2
_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6
_MAGIC = 0x1A2B3C4D
_COMMENT, _NAME, _FLAGS, _RESOLUTION = 1, 2, 2, 9
_NANOSECONDS = 9


class PcapNg:
    """Writes a file; readers see each packet as soon as write() returns."""

    def __init__(self, file: BinaryIO, application: str):
        self._file = file
        self._interfaces: dict[tuple[str, int], int] = {}
        self._block(_SECTION, struct.pack("=IHHq", _MAGIC, 1, 0, -1), [(4, application.encode())])

    def write(
        self, interface: str, link_type: int, time: int, data: bytes, length: int, comments: Sequence[str], direction: int = 0
    ) -> None:
        """Write a packet of `length` bytes on an interface, of which `data` was captured; `time` is in nanoseconds since 1970."""
        number = self._interface(interface, link_type)
        body = struct.pack("=IIIII", number, time >> 32, time & 0xFFFFFFFF, len(data), max(length, len(data))) + _padded(data)
        options = [(_COMMENT, text.encode("utf-8", "replace")) for text in comments]
        self._block(_PACKET, body, options + ([(_FLAGS, struct.pack("=I", direction))] if direction else []))
        self._file.flush()

    def _interface(self, name: str, link_type: int) -> int:
        """The number of an interface; writes its description block the first time."""
        key = (name, link_type)
        if key not in self._interfaces:
            self._interfaces[key] = len(self._interfaces)
            options = [(_NAME, name.encode()), (_RESOLUTION, bytes([_NANOSECONDS]))]
            self._block(_INTERFACE, struct.pack("=HHI", link_type, 0, 0), options)
        return self._interfaces[key]

    def _block(self, kind: int, body: bytes, options: Sequence[tuple[int, bytes]]) -> None:
        """Write a block: its length is at both ends, and an end-of-options option follows the options."""
        for code, value in options:
            value = value[:0xFFFF]
            body += struct.pack("=HH", code, len(value)) + _padded(value)
        body += struct.pack("=HH", 0, 0) if options else b""
        length = struct.pack("=I", len(body) + 12)
        self._file.write(struct.pack("=I", kind) + length + body + length)


def _padded(value: bytes) -> bytes:
    return value + bytes(-len(value) % 4)

"""Whole IP packets (RFC 791), made when a router is configured or a handler is called."""

import struct
from ipaddress import IPv4Address

#: Where the checksum is in the headers of the transport protocols that have a pseudo-header: TCP, UDP.
CHECKSUM_AT = {6: 16, 17: 6}
DF = 0x4000


def checksum(data: bytes) -> int:
    """The Internet checksum (RFC 1071)."""
    total = sum(struct.unpack(f"!{len(data) // 2}H", data[: len(data) & ~1])) + (data[-1] << 8 if len(data) % 2 else 0)
    while total >> 16:
        total = (total >> 16) + (total & 0xFFFF)
    return ~total & 0xFFFF


def ip_packet(source: IPv4Address, destination: IPv4Address, protocol: int, segment: bytes, ttl: int, fragment: int = 0) -> bytes:
    """An IP packet with a segment whose own checksum is still zero; `fragment` is the field of that name, DF or 0."""
    pseudo = source.packed + destination.packed + struct.pack("!HH", protocol, len(segment))
    own = checksum(pseudo + segment) or 0xFFFF
    at = CHECKSUM_AT[protocol]
    segment = segment[:at] + struct.pack("!H", own) + segment[at + 2 :]
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(segment), 0, fragment, ttl, protocol, 0)
    header += source.packed + destination.packed
    return header[:10] + struct.pack("!H", checksum(header)) + header[12:] + segment

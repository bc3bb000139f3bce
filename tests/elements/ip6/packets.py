"""IPv6 packets that the tests of the family share."""

import struct

from scapy.layers.inet import UDP
from scapy.layers.inet6 import IPv6


def chained(headers: int, inner: bytes, protocol: int) -> bytes:
    """An IPv6 packet with this many destination options headers of 8 bytes in front of `inner`."""
    kinds = [60] * headers + [protocol]
    chain = b"".join(bytes([kinds[i + 1], 0, 1, 4, 0, 0, 0, 0]) for i in range(headers))
    start = struct.pack("!IHBB", 6 << 28, len(chain) + len(inner), kinds[0], 64)
    return start + IPv6(src="2001:db8::2").build()[8:24] + IPv6(dst="2001:db8:1::2").build()[24:40] + chain + inner


def packet(payload: bytes = b"data", **fields):
    """A UDP packet."""
    return IPv6(**{"src": "2001:db8::2", "dst": "2001:db8:1::2", **fields}) / UDP() / payload

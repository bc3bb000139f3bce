"""Router advertisements as bytes (RFC 4861, 4.2 and 4.6; RFC 8106, 5.1)."""

import struct
from collections.abc import Iterable
from ipaddress import IPv6Address, IPv6Interface

from clickbpf.declare import Ether

ADVERTISEMENT = 134
#: Options.
SOURCE_LINK, PREFIX, MTU, RDNSS = 1, 3, 5, 25
#: Flags of the message, and of a prefix.
MANAGED, OTHER = 0x80, 0x40
ON_LINK, AUTONOMOUS = 0x80, 0x40


def message(hop_limit: int, flags: int, lifetime: int, reachable: int, retransmit: int, options: Iterable[bytes]) -> bytes:
    """The ICMPv6 message, its checksum zero. `lifetime` is in seconds, `reachable` and `retransmit` are in milliseconds."""
    return struct.pack("!BBHBBHII", ADVERTISEMENT, 0, 0, hop_limit, flags, lifetime, reachable, retransmit) + b"".join(options)


def source_link(ether: Ether) -> bytes:
    """RFC 4861, 4.6.1."""
    return bytes([SOURCE_LINK, 1, *ether])


def mtu(size: int) -> bytes:
    """RFC 4861, 4.6.4."""
    return struct.pack("!BBHI", MTU, 1, 0, size)


def prefix(network: IPv6Interface, flags: int, valid: int, preferred: int) -> bytes:
    """RFC 4861, 4.6.2: the bits after the prefix are zero; lifetimes in seconds."""
    first = network.network
    return struct.pack("!BBBBIII", PREFIX, 4, first.prefixlen, flags, valid, preferred, 0) + first.network_address.packed


def rdnss(servers: Iterable[IPv6Address], lifetime: int) -> bytes:
    """RFC 8106, 5.1; the lifetime in seconds."""
    addresses = b"".join(server.packed for server in servers)
    return struct.pack("!BBHI", RDNSS, 1 + len(addresses) // 8, 0, lifetime) + addresses

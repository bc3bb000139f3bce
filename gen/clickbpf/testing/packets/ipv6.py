"""Generated IPv6 packets (RFC 8200): addresses, chains of extension headers, fragments, and headers with wrong values."""

import socket
import struct
from random import Random

from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.packets.choice import choose, content, other_than, percent
from clickbpf.testing.packets.ipv4 import ttl
from clickbpf.testing.packets.mix import Mix
from clickbpf.testing.packets.transport import TRANSPORTS, payload, trimmed, wrong_sometimes

#: Special addresses: unspecified, loopback, link-local, multicast of three scopes, solicited-node multicast, IPv4-mapped, and one that no
#: host has.
SPECIAL = tuple(
    socket.inet_pton(socket.AF_INET6, address)
    for address in (
        "::", "::1", "fe80::1", "ff01::1", "ff02::1", "ff05::2", "ff02::1:ff00:1", "::ffff:10.0.0.1", "::10.0.0.1",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    )
)  # fmt: skip
HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, ICMP6, NO_NEXT, DESTINATION = 0, 43, 44, 51, 58, 59, 60
#: Types of ICMPv6 messages: echo, errors, neighbour discovery (RFC 4861), listeners (RFC 2710).
TYPES = (128, 129, 1, 2, 3, 4, 135, 136, 133, 134, 137, 130)
ERRORS = (1, 2, 3, 4)


def address6(random: Random, mix: Mix) -> bytes:
    """A favoured address, a special one, or any."""
    kind = random.randrange(10)
    if kind < 7:
        return socket.inet_pton(socket.AF_INET6, random.choice(mix.addresses6))
    return random.choice(SPECIAL) if kind == 7 else content(random, 16)


def ipv6(random: Random, mix: Mix) -> bytes:
    """A packet. With `mix.trimmed` its payload length is less than its bytes; with `mix.wrong` its payload length or its version is wrong;
    with `mix.options` it has extension headers."""
    source, destination = address6(random, mix), address6(random, mix)
    transport = choose(random, mix.transports)
    make = icmp6 if transport == "icmp" else TRANSPORTS[transport]
    protocol, segment = make(random, mix, source, destination)
    if percent(random, mix.options):
        protocol, segment = _chain(random, protocol, segment)
    class_and_label = 0 if random.randrange(3) == 0 else random.randrange(1 << 28)
    first, length = 6 << 28 | class_and_label, len(segment)
    if percent(random, mix.wrong):
        if random.randrange(3):
            length = other_than(random, length, 16)
        else:
            first = other_than(random, 6, 4) << 28
    elif percent(random, mix.trimmed):
        length = trimmed(random, length)
    return struct.pack("!IHBB", first, length, protocol, ttl(random)) + source + destination + segment


def _chain(random: Random, protocol: int, segment: bytes) -> tuple[int, bytes]:
    """Up to 10 extension headers in front of a segment, in any order; half of the chains have a changed byte."""
    made = b""
    count = 1 + (random.randrange(10) if random.randrange(8) == 7 else random.randrange(3))
    for _ in range(count):
        kind = random.choice((HOP_BY_HOP, DESTINATION, ROUTING, FRAGMENT, AUTHENTICATION))
        made = EXTENSIONS[kind](random, protocol) + made
        protocol = kind
    if random.randrange(2):
        at = random.randrange(len(made))
        made = made[:at] + bytes([random.choice((0, 1, 2, 43, 44, 59, 255, random.randrange(256)))]) + made[at + 1 :]
    return (NO_NEXT if random.randrange(20) == 19 else protocol), made + segment


def _options(random: Random, following: int) -> bytes:
    """Hop-by-hop or destination options: padding, router alert, or an unknown one (RFC 8200, 4.2)."""
    unknown = bytes([random.randrange(256), 4]) + content(random, 4)
    option = random.choice((b"\x01\x04\0\0\0\0", b"\x05\x02\0\0\x01\x00", b"\0" * 6, unknown))
    more = random.randrange(3)
    filler = (bytes([1, 8 * more - 2]) + bytes(8 * more - 2)) if more else b""
    return bytes([following, more]) + option + filler


def _routing(random: Random, following: int) -> bytes:
    """A routing header of type 0, 2 or 4 with up to two addresses; Segments Left may exceed their number."""
    addresses = random.randrange(3)
    return bytes([following, 2 * addresses, random.choice((0, 2, 4)), random.randrange(4)]) + bytes(4) + content(random, 16 * addresses)


def _fragment(random: Random, following: int) -> bytes:
    """A first fragment, a middle one, a last one, or an atomic fragment (RFC 6946)."""
    offset = 0 if random.randrange(2) == 0 else random.randrange(1 << 13)
    return struct.pack("!BBHI", following, 0, offset << 3 | random.randrange(2), random.getrandbits(32))


def _authentication(random: Random, following: int) -> bytes:
    """An authentication header (RFC 4302); its length field counts words less two."""
    words = random.choice((4, 4, 6, 2))
    return struct.pack("!BBHII", following, words, 0, random.getrandbits(32), 1) + content(random, 4 * (words - 1))


EXTENSIONS = {HOP_BY_HOP: _options, DESTINATION: _options, ROUTING: _routing, FRAGMENT: _fragment, AUTHENTICATION: _authentication}


def icmp6(random: Random, mix: Mix, source: bytes, destination: bytes) -> tuple[int, bytes]:
    """RFC 4443 and 4861: echo, errors that quote a packet, solicitations and advertisements with options, any type."""
    type_ = random.choice(TYPES) if random.randrange(10) else random.randrange(256)
    code = 0 if random.randrange(4) else random.randrange(256)
    message = struct.pack("!BBHI", type_, code, 0, random.getrandbits(32)) + _body(random, mix, type_, source, destination)
    sum_ = checksum(source + destination + struct.pack("!II", len(message), ICMP6) + message)
    return ICMP6, message[:2] + struct.pack("!H", wrong_sometimes(random, sum_)) + message[4:]


def _body(random: Random, mix: Mix, type_: int, source: bytes, destination: bytes) -> bytes:
    """The rest of a message after its first 8 bytes."""
    if type_ in ERRORS:
        return struct.pack("!IHBB", 6 << 28, 8, 17, 1) + destination + source + content(random, 8)
    if type_ in (135, 136):
        return address6(random, mix) + _link_address(random)
    return payload(random, mix)


def _link_address(random: Random) -> bytes:
    """A link-layer address option, perhaps with a wrong length, or none."""
    if random.randrange(4) == 3:
        return b""
    return bytes([random.choice((1, 2)), random.choice((1, 1, 1, 0, 2))]) + content(random, 6)

"""Generated IPv4 packets (RFC 791): addresses, options, fragments, and headers with wrong values."""

import socket
import struct
from random import Random

from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.packets.choice import choose, content, other_than, percent
from clickbpf.testing.packets.mix import Mix
from clickbpf.testing.packets.transport import TRANSPORTS, trimmed

#: Special addresses: unspecified, loopback, limited broadcast, multicast, class E, and a subnet's broadcast.
SPECIAL = tuple(
    socket.inet_aton(address)
    for address in ("0.0.0.0", "127.0.0.1", "255.255.255.255", "224.0.0.1", "239.1.2.3", "240.0.0.1", "10.0.0.255")
)
DF, MF = 0x4000, 0x2000


def address(random: Random, mix: Mix) -> bytes:
    """A favoured address, a special one, or any."""
    kind = random.randrange(10)
    if kind < 7:
        return socket.inet_aton(random.choice(mix.addresses))
    return random.choice(SPECIAL) if kind == 7 else content(random, 4)


def ttl(random: Random) -> int:
    """A TTL: any value, but often one around a router's limit."""
    return random.choice((64, 0, 1, 2, 255)) if random.randrange(2) == 0 else random.randrange(256)


def fragment_field(random: Random) -> int:
    """Flags and offset: mostly of whole packets, otherwise of first, middle and last fragments, or any value."""
    kind = random.randrange(10)
    if kind < 7:
        return DF if kind % 2 else 0
    if kind == 7:
        return MF | (0 if random.randrange(2) == 0 else random.randrange(1, 1 << 13))
    return random.randrange(1, 1 << 13) if kind == 8 else random.randrange(1 << 16)


def options(random: Random) -> bytes:
    """Up to 40 bytes of RFC 791's options, padded to whole words; half of the lists are malformed."""
    made = b""
    while len(made) < 40 and (not made or random.randrange(3)):
        made += _option(random)
    if random.randrange(2):
        made = _spoil(random, made)
    made = made[:40]
    return made + bytes(-len(made) % 4)


def _option(random: Random) -> bytes:
    """One well-formed option; the pointers of routes and timestamps may be anywhere, including past the end."""
    kind = random.choice((1, 7, 68, 131, 137, 148, 130, 0, 222))
    if kind in (0, 1):
        return bytes([kind])
    if kind == 148:
        return bytes([kind, 4, 0, random.randrange(2)])
    slots = 1 + random.randrange(4)
    pointer = 4 + 4 * random.randrange(slots + 1)
    if kind == 68:
        overflow_and_flag = random.choice((0, 1, 3, 0xF0, 0xF1, 2))
        return bytes([kind, 4 + 4 * slots, pointer + 1, overflow_and_flag]) + content(random, 4 * slots)
    if kind in (7, 131, 137):
        return bytes([kind, 3 + 4 * slots, pointer]) + content(random, 4 * slots)
    return bytes([kind, 2 + slots]) + content(random, slots)


def _spoil(random: Random, made: bytes) -> bytes:
    """The list with one byte changed: a length of 0, 1 or beyond the end, a bad pointer, another kind."""
    at = random.randrange(len(made))
    value = random.choice((0, 1, 2, 3, 255)) if random.randrange(2) == 0 else random.randrange(256)
    return made[:at] + bytes([value]) + made[at + 1 :]


def ipv4(random: Random, mix: Mix) -> bytes:
    """A packet. With `mix.trimmed` its total length is less than its bytes; with `mix.wrong` one of version, header length, total length
    and checksum is wrong."""
    source, destination = address(random, mix), address(random, mix)
    protocol, segment = TRANSPORTS[choose(random, mix.transports)](random, mix, source, destination)
    extra = options(random) if percent(random, mix.options) else b""
    tos, identification = random.choice((0, random.randrange(256))), random.randrange(1 << 16)
    fragment, lifetime = fragment_field(random), ttl(random)
    lie = random.choice(("length", "header", "version", "checksum")) if percent(random, mix.wrong) else ""
    version, words, total = 4, 5 + len(extra) // 4, 20 + len(extra) + len(segment)
    if lie == "length":
        total = other_than(random, total, 16)
    elif lie == "header":
        words = other_than(random, words, 4)
    elif lie == "version":
        version = other_than(random, version, 4)
    elif not lie and percent(random, mix.trimmed):
        total += trimmed(random, len(segment)) - len(segment)
    start = struct.pack("!BBHHHBB", version << 4 | words, tos, total, identification, fragment, lifetime, protocol)
    rest = source + destination + extra
    sum_ = checksum(start + b"\0\0" + rest)
    if lie == "checksum":
        sum_ = other_than(random, sum_, 16)
    return start + struct.pack("!H", sum_) + rest + segment

"""Generated UDP, TCP and ICMP messages, sometimes with wrong lengths and checksums."""

import struct
from random import Random

from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.packets.choice import content, other_than, percent
from clickbpf.testing.packets.mix import Mix

#: Of 100 messages, the number with a wrong checksum.
WRONG = 10


def payload(random: Random, mix: Mix) -> bytes:
    longest = 1500 if percent(random, mix.large) else mix.payload
    return content(random, random.randrange(longest + 1))


def trimmed(random: Random, length: int) -> int:
    """The number of bytes to leave of a packet: any or, as often, hardly more than the headers."""
    return random.randrange(1 + (length if random.randrange(2) else min(length, 24)))


def port(random: Random, mix: Mix) -> int:
    return random.choice(mix.ports) if random.randrange(4) else random.randrange(1 << 16)


def wrong_sometimes(random: Random, right: int) -> int:
    """The checksum, or a wrong one."""
    return other_than(random, right, 16) if percent(random, WRONG) else right


def _summed(random: Random, source: bytes, destination: bytes, protocol: int, message: bytes, at: int) -> bytes:
    """Put the checksum of pseudo-header and message, sometimes a wrong one, at offset `at`."""
    pseudo = source + destination + struct.pack("!HH", protocol, len(message))
    sum_ = wrong_sometimes(random, checksum(pseudo + message))
    return message[:at] + struct.pack("!H", sum_) + message[at + 2 :]


def udp(random: Random, mix: Mix, source: bytes, destination: bytes) -> tuple[int, bytes]:
    """A UDP datagram (RFC 768); a checksum of 0 means that there is none."""
    data = payload(random, mix)
    length = 8 + len(data)
    if percent(random, 8):
        length = other_than(random, length, 16)
    message = struct.pack("!HHHH", port(random, mix), port(random, mix), length, 0) + data
    return 17, message if percent(random, 15) else _summed(random, source, destination, 17, message, 6)


def tcp(random: Random, mix: Mix, source: bytes, destination: bytes) -> tuple[int, bytes]:
    """A TCP segment (RFC 9293) with maximum segment size, window scale or other options, sometimes with a wrong data offset."""
    extra = random.choice((b"", b"\x02\x04\x05\xb4", b"\x01\x03\x03\x07", content(random, 4 * random.randrange(11))))
    words = 5 + len(extra) // 4
    if percent(random, 8):
        words = other_than(random, words, 4)
    flags = random.choice((0x10, 0x02, 0x12, 0x11, 0x04, 0x18, 0x01, 0x14)) if random.randrange(4) else random.randrange(512)
    numbers = random.getrandbits(32), random.getrandbits(32)
    fixed = struct.pack("!HHIIHHHH", port(random, mix), port(random, mix), *numbers, words << 12 | flags, random.randrange(1 << 16), 0, 0)
    return 6, _summed(random, source, destination, 6, fixed + extra + payload(random, mix), 16)


def icmp(random: Random, mix: Mix, source: bytes, destination: bytes) -> tuple[int, bytes]:
    """An ICMP message (RFC 792): echo or its reply, an error that quotes a packet, a timestamp, or any type."""
    type_, code = random.choice(((8, 0), (0, 0), (3, 1), (3, 3), (3, 4), (5, 1), (11, 0), (12, 0), (13, 0), (14, 0), None)) or (
        random.randrange(256),
        random.randrange(256),
    )
    quoted = struct.pack("!BBHHHBBH", 0x45, 0, 28, 1, 0, 1, 17, 0) + destination + source + content(random, 8)
    body = quoted if type_ in (3, 5, 11, 12) else payload(random, mix)
    message = struct.pack("!BBHI", type_, code, 0, random.getrandbits(32)) + body
    return 1, message[:2] + struct.pack("!H", wrong_sometimes(random, checksum(message))) + message[4:]


def other(random: Random, mix: Mix, source: bytes, destination: bytes) -> tuple[int, bytes]:
    """Another protocol: IP in IP, GRE, or any number, with an arbitrary payload."""
    return random.choice((4, 47, random.randrange(256))), payload(random, mix)


TRANSPORTS = {"udp": udp, "tcp": tcp, "icmp": icmp, "other": other}

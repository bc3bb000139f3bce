"""What the hosts at the router's devices answer by themselves: ARP requests (RFC 826) and neighbour solicitations (RFC 4861)."""

import struct
import zlib

from clickbpf.testing.packets.checksum import checksum
from clickbpf.testing.packets.ipv6 import ICMP6

REQUEST, REPLY = b"\0\1", b"\0\2"
SOLICITATION, ADVERTISEMENT = 135, 136
#: Hop limit of neighbour discovery, and the flags "solicited" and "override".
HOPS, FLAGS = 255, 0x60000000


def answer(frame: bytes) -> bytes | None:
    """The answer to a router's frame, or None if that doesn't ask for an Ethernet address."""
    if len(frame) >= 42 and frame[12:14] == b"\x08\x06" and frame[20:22] == REQUEST:
        mac = address(frame[38:42])
        return frame[6:12] + mac + frame[12:20] + REPLY + mac + frame[38:42] + frame[22:32]
    if len(frame) >= 78 and frame[12:14] == b"\x86\xdd" and frame[20] == ICMP6 and frame[54] == SOLICITATION:
        return _advertisement(frame)
    return None


def address(ip: bytes) -> bytes:
    """The Ethernet address of the host with this IP address, always the same."""
    return b"\x02\x0a" + zlib.crc32(ip).to_bytes(4, "big")


def _advertisement(frame: bytes) -> bytes:
    target, asking = frame[62:78], frame[22:38]
    mac = address(target)
    message = struct.pack("!BBHI", ADVERTISEMENT, 0, 0, FLAGS) + target + b"\2\1" + mac
    sum_ = checksum(target + asking + struct.pack("!II", len(message), ICMP6) + message)
    header = struct.pack("!IHBB", 6 << 28, len(message), ICMP6, HOPS) + target + asking
    return frame[6:12] + mac + frame[12:14] + header + message[:2] + sum_.to_bytes(2, "big") + message[4:]

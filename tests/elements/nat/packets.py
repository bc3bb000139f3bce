"""Packets of hosts on both sides of a rewriter, without their Ethernet headers."""

import re

from scapy.layers.inet import IP, TCP, UDP
from scapy.packet import Packet

PEER = "8.8.8.8"


def tcp(src: str, sport: int, dst: str = PEER, dport: int = 80, flags: str = "A", data: bytes = b"", **fields: int) -> Packet:
    return IP(src=src, dst=dst, ttl=9, id=7) / TCP(sport=sport, dport=dport, flags=flags, **fields) / data


def udp(src: str, sport: int, dst: str = PEER, dport: int = 53, data: bytes = b"data", **fields: int) -> Packet:
    return IP(src=src, dst=dst, ttl=9, id=7) / UDP(sport=sport, dport=dport, **fields) / data


def left(table: str) -> list[int]:
    """Seconds that the flows of a table have left, as each one's first line says."""
    return [int(seconds) for seconds in re.findall(r"\[\*.* exp(\d+)$", table, re.MULTILINE)]

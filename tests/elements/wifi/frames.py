"""Management frames of IEEE 802.11 (9.3.3), written by hand."""

import struct

ACCESS_POINT = bytes.fromhex("02 00 00 00 00 01")
STATION = bytes.fromhex("02 00 00 00 00 02")
EVERYBODY = b"\xff" * 6
ASSOCIATION_REQUEST, ASSOCIATION_RESPONSE, PROBE_REQUEST, PROBE_RESPONSE = 0x00, 0x10, 0x40, 0x50
BEACON, DISASSOCIATION, AUTHENTICATION, DATA = 0x80, 0xA0, 0xB0, 0x08
SSID, RATES, CHANNEL, TIM, MORE_RATES = 0, 1, 3, 5, 50
#: Bits of the capability field.
ESS, PRIVACY = 0x01, 0x10


def frame(control: int, body: bytes = b"", to: bytes = ACCESS_POINT, sender: bytes = STATION, network: bytes | None = None) -> bytes:
    """A frame with no flags, duration 0, and sequence number 0."""
    return struct.pack("<BBH", control, 0, 0) + to + sender + (to if network is None else network) + bytes(2) + body


def element(kind: int, content: bytes) -> bytes:
    return bytes((kind, len(content))) + content


def words(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}H", *numbers)

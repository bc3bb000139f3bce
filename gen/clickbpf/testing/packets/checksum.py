"""The Internet checksum (RFC 1071)."""


def checksum(data: bytes) -> int:
    """Complement of the one's complement sum of 16-bit words; an odd last byte counts as a high byte.

    2^16 is 1 modulo 2^16 - 1, so the whole string, read as one number, has the same residue as the sum.
    """
    if len(data) % 2:
        data += b"\0"
    number = int.from_bytes(data, "big")
    folded = number % 0xFFFF
    return ~(0xFFFF if folded == 0 and number else folded) & 0xFFFF

"""The base of SetCRC32 and CheckCRC32: the CRC's table."""

from clickbpf.declare import USER, Element

#: The IEEE 802.3 polynomial, highest power first.
POLYNOMIAL = 0x04C11DB7


class CrcElement(Element, runs=USER):
    """Provides SELF(crc_table) in C: the remainder for each value of the highest byte (crc.inc.h)."""

    def code(self) -> str:
        rows = ",\n".join("\t" + ", ".join(f"{_remainder(byte):#010x}" for byte in range(row, row + 8)) for row in range(0, 256, 8))
        return f"static const __u32 SELF(crc_table)[256] = {{\n{rows},\n}};\n"


def _remainder(byte: int) -> int:
    """The remainder of the byte and 32 zero bits, divided by the polynomial."""
    value = byte << 24
    for _ in range(8):
        value = value << 1 ^ (POLYNOMIAL if value & 1 << 31 else 0)
        value &= (1 << 32) - 1
    return value

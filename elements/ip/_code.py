"""C code that several classes of the family generate."""

from collections.abc import Iterable
from ipaddress import IPv4Address

from clickbpf.declare import IPAddress

#: A preliminary comparison pays for at least this many addresses, with at most this span of last bytes.
SEVERAL, NEAR = 3, 16


def membership(name: str, addresses: Iterable[IPv4Address]) -> str:
    """SELF(name)(address): whether an address, in network byte order, is one of these."""
    cases = "".join(f"\tcase {IPAddress().c_value(address)}:\n" for address in sorted(set(addresses)))
    body = f"\tswitch (address) {{\n{cases}\t\treturn true;\n\t}}\n" if cases else ""
    return f"static __always_inline bool SELF({name})(__be32 address)\n{{\n{_last_bytes(set(addresses))}{body}\treturn false;\n}}\n"


def _last_bytes(addresses: set[IPv4Address]) -> str:
    """A preliminary comparison that excludes nearly all other addresses, for a set whose last bytes are consecutive, such as 255
    and 0. In network byte order an address's last byte is the most significant one."""
    last = sorted({int(address) & 0xFF for address in addresses})
    if len(addresses) < SEVERAL:
        return ""
    gap, first = max(((after - before) % 256 or 256, after) for before, after in zip(last, (*last[1:], last[0]), strict=True))
    span = 257 - gap
    if span > NEAR:
        return ""
    return (
        f"\taddress -= htonl({first});\n\topaque(address);\n"
        f"\tif (likely(address >= htonl({span})))\n\t\treturn false;\n"
        f"\taddress += htonl({first});\n"
    )

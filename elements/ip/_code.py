"""C text that several classes of the family generate."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address

from clickbpf.args import IPAddress


def membership(name: str, addresses: Iterable[IPv4Address]) -> str:
    """SELF(name)(address): whether an address, in network byte order, is one of these."""
    cases = "".join(f"\tcase {IPAddress().c_value(address)}:\n" for address in sorted(set(addresses)))
    body = f"\tswitch (address) {{\n{cases}\t\treturn true;\n\t}}\n" if cases else ""
    return f"static __always_inline bool SELF({name})(__be32 address)\n{{\n{body}\treturn false;\n}}\n"

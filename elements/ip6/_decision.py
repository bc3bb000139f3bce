"""Routes of IPv6 that never change, as C code."""

from collections.abc import Iterator
from ipaddress import IPv6Address
from typing import ClassVar

from clickbpf.declare import ip6_text
from clickbpf.args.types.address6 import c_bytes

from ..ip._decision import Decision, Stretch

HOST = 64
LOW = (1 << HOST) - 1
#: The most networks to compare first.
FEW = 4


class Decision6(Decision):
    """An address is two numbers in host order, `high` and `low`; most prefixes end within `high`."""

    bits: ClassVar[int] = 128
    parameter: ClassVar[str] = "__u64 high, __u64 low"

    def ahead(self) -> Iterator[str]:
        """One comparison each finds networks with hosts of 64 bits, as nearly all have (RFC 4291, 2.5.1)."""
        networks = [route.addr for route in self.routes if route.length == HOST]
        for first in networks if len(networks) <= FEW else ():
            yield f"\tif (high == {first >> HOST:#018x}) {{\n"
            yield from self.tree(self._within(first, first + LOW), 2)
            yield "\t}\n"

    def _within(self, first: int, last: int) -> list[Stretch]:
        """The stretches of these addresses."""
        before = [stretch for stretch in self.stretches if stretch[0] <= first][-1]
        return [(first, before[1]), *(stretch for stretch in self.stretches if first < stretch[0] <= last)]

    def below(self, border: int) -> str:
        high, low = f"{border >> HOST:#018x}", f"{border & LOW:#018x}"
        return f"high < {high} || (high == {high} && low < {low})" if border & LOW else f"high < {high}"

    def shown(self, border: int) -> str:
        return ip6_text(IPv6Address(border))

    def set_next_hop(self, gateway: int) -> str:
        return f"pkt_set_dst_ip6(p, (const __u8[16]){c_bytes(IPv6Address(gateway))})"

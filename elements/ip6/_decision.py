"""Routes of IPv6 that never change, as C code."""

from __future__ import annotations

from ipaddress import IPv6Address
from typing import ClassVar

from clickbpf.args import ip6_text
from clickbpf.args.types.address6 import c_bytes

from ..ip._decision import Decision

LOW = (1 << 64) - 1


class Decision6(Decision):
    """An address is two numbers in host order, `high` and `low`; most borders of prefixes are between numbers of the former."""

    bits: ClassVar[int] = 128
    parameter: ClassVar[str] = "__u64 high, __u64 low"

    def below(self, border: int) -> str:
        high, low = f"{border >> 64:#018x}", f"{border & LOW:#018x}"
        return f"high < {high} || (high == {high} && low < {low})" if border & LOW else f"high < {high}"

    def shown(self, border: int) -> str:
        return ip6_text(IPv6Address(border))

    def set_next_hop(self, gateway: int) -> str:
        return f"pkt_set_dst_ip6(p, (const __u8[16]){c_bytes(IPv6Address(gateway))})"

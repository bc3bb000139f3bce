"""A route."""

from ipaddress import IPv4Address
from typing import NamedTuple, Self

from clickbpf.declare import Prefix

#: The output in a `remove` without one: any.
ANY_PORT = -1


class Route(NamedTuple):
    """Packets to `addr`/`mask` go to `gateway` (0: to their own destination) by output `port`. Addresses in host order."""

    addr: int
    mask: int
    gateway: int
    port: int

    @property
    def prefix(self) -> Prefix:
        return Prefix(IPv4Address(self.addr), IPv4Address(self.mask))

    @property
    def length(self) -> int | None:
        """Bits of the mask, or None if it has holes."""
        zeros = ~self.mask & 0xFFFFFFFF
        return None if zeros & (zeros + 1) else self.mask.bit_count()

    def contains(self, address: int) -> bool:
        return not (address ^ self.addr) & self.mask

    def matches(self, other: Self) -> bool:
        """Whether this route, of a `remove`, means `other`: they are equal, or, without an output here, have the same prefix."""
        return self[:2] == other[:2] and (self.port == ANY_PORT or self == other)

    @property
    def hop(self) -> str:
        """The next hop, as the handler `lookup` shows it."""
        return f"{self.port} {IPv4Address(self.gateway)}" if self.gateway else str(self.port)

    def __str__(self) -> str:
        return f"{self.prefix} {self._gateway_text} {self.port}"

    @property
    def row(self) -> str:
        """The route as a line of the `table` handler: columns of 17 and 9 characters at least, kept up by tabs."""
        columns = ((str(self.prefix), 17), (self._gateway_text, 9))
        return "".join(text + ("\t" if len(text) + 1 >= width else "\t\t") for text, width in columns) + str(self.port)

    @property
    def _gateway_text(self) -> str:
        return str(IPv4Address(self.gateway)) if self.gateway else "-"

"""Types for values that Python has no type for; their texts are Click's."""

from ipaddress import IPv4Address
from typing import NamedTuple, Self


class Ether(bytes):
    """An Ethernet address: 6 bytes, shown as 00-50-BA-85-84-A9."""

    def __str__(self) -> str:
        return self.hex("-").upper()

    def __repr__(self) -> str:
        return f"Ether({self})"


class Prefix(NamedTuple):
    """An IPv4 address and a mask, which need not be contiguous; host bits are kept as written."""

    address: IPv4Address
    mask: IPv4Address

    @classmethod
    def of_length(cls, address: IPv4Address, length: int) -> Self:
        """The prefix of `length` bits, 0 to 32, that `address` lies in."""
        return cls(address, mask_of_length(length))

    @property
    def network(self) -> IPv4Address:
        """The address without its host bits."""
        return IPv4Address(int(self.address) & int(self.mask))

    @property
    def broadcast(self) -> IPv4Address:
        """The address with all host bits set."""
        return IPv4Address(int(self.address) | ~int(self.mask) & 0xFFFFFFFF)

    @property
    def first(self) -> IPv4Address:
        """The network's first host address, by convention the gateway's."""
        return IPv4Address(int(self.network) | 1)

    @property
    def length(self) -> int | None:
        """The length of a contiguous mask; None for other masks."""
        host_bits = ~int(self.mask) & 0xFFFFFFFF
        return None if host_bits & (host_bits + 1) else 32 - host_bits.bit_length()

    def __contains__(self, address: IPv4Address) -> bool:  # type: ignore[override]
        return int(address) & int(self.mask) == int(self.network)

    def __str__(self) -> str:
        return f"{self.address}/{self.mask if self.length is None else self.length}"


def mask_of_length(length: int) -> IPv4Address:
    """The contiguous mask of `length` bits, 0 to 32."""
    return IPv4Address((1 << 32) - (1 << (32 - length)))


class Anno(NamedTuple):
    """A packet annotation: `size` bytes at `offset` of the 48; size 0 where a text named an offset alone."""

    offset: int
    size: int


class HandlerName(NamedTuple):
    """A handler of an element (its full name; "" for the router's own handlers), with the text to write, if any."""

    element: str
    handler: str
    value: str = ""

    def __str__(self) -> str:
        name = f"{self.element}.{self.handler}" if self.element else self.handler
        return f"{name} {self.value}" if self.value else name

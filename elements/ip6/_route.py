"""A route of IPv6."""

from ipaddress import IPv6Address

from clickbpf.declare import ip6_text

from ..ip._route import Route


class Route6(Route):
    """A Route whose addresses have 128 bits."""

    @property
    def length(self) -> int:
        return self.mask.bit_count()

    @property
    def prefix(self) -> str:
        return f"{ip6_text(IPv6Address(self.addr))}/{self.length}"

    @property
    def hop(self) -> str:
        return f"{self.port} {ip6_text(IPv6Address(self.gateway))}" if self.gateway else str(self.port)

    def __str__(self) -> str:
        return f"{self.prefix} {ip6_text(IPv6Address(self.gateway))} {self.port}"

    @property
    def row(self) -> str:
        """The route as a line of the `table` handler, as Click writes it."""
        return str(self).replace(" ", "\t")

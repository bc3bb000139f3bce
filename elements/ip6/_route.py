"""A route of IPv6, as configurations and handlers write it: ADDR/LENGTH [GATEWAY] OUTPUT."""

from __future__ import annotations

from ipaddress import IPv6Address
from typing import ClassVar

from clickbpf.args import NOWHERE, Context, IP6Address, IP6Prefix, Type, ip6_text
from clickbpf.frozen import frozen

from ..ip._route import Route
from ..ip._routetext import RouteWords


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


@frozen
class Route6Text(RouteWords):
    """Reads a route; with `removal` the output may be missing."""

    gateway: ClassVar[Type] = IP6Address()

    def parse(self, text: str, context: Context = NOWHERE) -> Route6:
        return Route6(*super().parse(text, context))

    def _prefix(self, word: str, context: Context) -> tuple[int, int]:
        network = IP6Prefix().parse(word, context).network
        return int(network.network_address), int(network.netmask)

    def describe(self) -> str:
        return super().describe().replace("MASK", "LENGTH")

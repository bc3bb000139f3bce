"""IPv6 routes in the usual form (ip/_plainroutes.py)."""

from array import array
from collections.abc import Iterable, Iterator
from functools import partial
from socket import AF_INET6, inet_pton

from ..ip._plainroutes import PlainRoutes
from ..ip._routes import Routes, swapped
from ._route import Route6


class Routes6(Routes):
    """Routes of IPv6 as columns; addresses and masks are lists."""

    __slots__ = ()
    route = Route6

    @staticmethod
    def column(addresses: Iterable[int]) -> list[int]:
        return list(addresses)


def _numbers(addresses: Iterable[bytes]) -> Iterator[int]:
    """Addresses of 16 bytes as numbers."""
    halves = swapped(array("Q", b"".join(addresses)))
    return (high << 64 | low for high, low in zip(halves[::2], halves[1::2]))


#: Candidates for addresses, which inet_pton() checks. Addresses with embedded dotted IPv4 aren't of the usual form.
_ADDRESS = r"[0-9a-fA-F]{0,4}:[0-9a-fA-F:]{1,40}"

PLAIN6 = PlainRoutes(Routes6, 128, _ADDRESS, "1[01][0-9]|12[0-8]|[1-9]?[0-9]", partial(inet_pton, AF_INET6), _numbers)

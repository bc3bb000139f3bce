"""The order in which DirectIPLookup and RangeIPLookup list their routes."""

from ._fibtable import FibTable
from ._route import Route

#: A bucket's number has 16 bits.
_BUCKETS = 1 << 16
_WORD = 0xFFFFFFFF


class HashedTable(FibTable):
    """A table whose routes are listed by the buckets of Click's hash of prefixes, in each bucket the last added first.

    Only the order is Click's: there is no such hash here. The default route is in it from the beginning, so it is the last of its
    bucket.
    """

    def routes(self) -> list[Route]:
        return sorted(reversed(super().routes()), key=lambda route: (bucket(route.addr, route.mask.bit_count()), not route.mask))


def bucket(address: int, length: int) -> int:
    """The bucket of a prefix, in Click's 32-bit arithmetic; a shift by 32 has no effect, as on x86."""
    found = address ^ length << 5 ^ (address >> (length >> 2)) - length & _WORD
    found ^= found >> 23 ^ (found >> 15) * length ^ (address >> 17) * 53
    found = found - (address >> 3 ^ (found >> length % 32) * 7 ^ (found >> 11) * 103) & _WORD
    return (found ^ found >> 17) % _BUCKETS

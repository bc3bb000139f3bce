"""Maglev's consistent hashing (Eisenbud et al., NSDI 2016, 3.4), which katran uses as well: a table in which all servers have
nearly equal shares, and which changes little when a server comes or goes."""

from collections.abc import Sequence
from hashlib import blake2b
from itertools import count


def prime_from(least: int) -> int:
    """The first prime number that is at least `least`."""
    return next(number for number in count(max(2, least)) if all(number % divisor for divisor in range(2, int(number**0.5) + 1)))


def populate(names: Sequence[bytes], size: int) -> list[int]:
    """The index of a name for each of `size` places, a prime number. Each name in turn takes the next free place in its own
    permutation, which depends only on the name."""
    if not names:
        return []
    orders = [_permutation(name, size) for name in names]
    table, left = [-1] * size, size
    while True:
        for index, order in enumerate(orders):
            table[next(place for place in order if table[place] < 0)] = index
            left -= 1
            if not left:
                return table


def _permutation(name: bytes, size: int):
    digest = blake2b(name, digest_size=16).digest()
    at, skip = int.from_bytes(digest[:8]) % size, int.from_bytes(digest[8:]) % (size - 1) + 1
    while True:
        yield at
        at = (at + skip) % size

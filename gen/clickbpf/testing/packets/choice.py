"""Random choices that hypothesis can shrink: smaller numbers are plainer choices."""

from collections.abc import Mapping
from random import Random


def choose(random: Random, weights: Mapping[str, int]) -> str:
    """One of the names, with the probability of its weight."""
    drawn = random.randrange(sum(weights.values()))
    for name, weight in weights.items():
        if drawn < weight:
            return name
        drawn -= weight
    raise AssertionError("the draw is below the sum of the weights")


def percent(random: Random, frequency: int) -> bool:
    """True `frequency` times out of 100; False is the plainer choice."""
    return random.randrange(100) >= 100 - frequency


def content(random: Random, length: int) -> bytes:
    """`length` arbitrary bytes."""
    return random.getrandbits(8 * length).to_bytes(length, "big") if length else b""


def other_than(random: Random, right: int, bits: int) -> int:
    """A number of `bits` bits, often close to `right` but never equal to it."""
    limit = 1 << bits
    near = random.randrange(4)
    value = random.randrange(limit) if near == 0 else (right + (1, -1, 8)[near - 1]) % limit
    return value if value != right else (right + 1) % limit

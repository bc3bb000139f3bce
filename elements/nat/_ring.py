"""A ring for consistent hashing (Karger et al., 1997), with the same points as Click's."""

from collections.abc import Iterator, Sequence


def random_numbers(seed: int) -> Iterator[int]:
    """The results of the C library's random() after srandom(seed): an additive feedback generator of 31 words."""
    words = [seed & 0xFFFFFFFF or 1]
    signed = words[0] - (1 << 32) if words[0] >> 31 else words[0]
    for _ in range(30):
        # In C the remainder of a negative number is negative; srandom() then makes it positive.
        signed = 16807 * signed % 0x7FFFFFFF
        words.append(signed)
    words += words[:3]
    for _ in range(310):
        words.append((words[-31] + words[-3]) & 0xFFFFFFFF)
    while True:
        words.append((words[-31] + words[-3]) & 0xFFFFFFFF)
        del words[0]
        yield words[-1] >> 1


def points(identities: Sequence[int], each: int, seed: int) -> list[tuple[int, int]]:
    """Points (number, index into `identities`) in order; each identity has `each`, whatever others there are."""
    numbers = random_numbers(seed)
    found = []
    for identity in range(max(identities, default=-1) + 1):
        mine = [next(numbers) for _ in range(each)]
        found += [(number, identities.index(identity)) for number in mine if identity in identities]
    return sorted(found)


def wrapped_to(size: int) -> int:
    """The point that Click uses after the last one: the root of its search tree, not the first point.

    The tree's lowest row is filled from the left; the root is the point with all of its left subtree before it.
    """
    rows = size.bit_length()
    if rows < 2:
        return 0
    lowest, half = size - ((1 << (rows - 1)) - 1), 1 << (rows - 2)
    return half - 1 + min(lowest, half)

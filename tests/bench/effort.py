"""How much is measured: whole, or with small sizes, in a moment, to see that all of it works."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    #: Rounds, in which what is compared takes turns; those under traffic, and the seconds of each of them.
    rounds: int = 5
    live: int = 3
    seconds: float = 1.0
    #: The most entries of a table, or elements of a configuration, and the points of a curve.
    most: int = 1_000_000
    points: int = 10

    def up_to(self, sizes: Iterable[int]) -> list[int]:
        """Those that are small enough, at least one."""
        return [size for size in sizes if size <= self.most] or [min(sizes)]


WHOLE = Effort()
QUICK = Effort(rounds=2, live=2, seconds=0.2, most=100, points=2)

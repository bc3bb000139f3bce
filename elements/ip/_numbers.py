"""Numbers of things that have keys: each has the lowest that was free when it came."""

import heapq
from collections.abc import Iterable


class Numbers:
    """`known` is (key, number) of those that are there, by ascending numbers."""

    def __init__(self, known: Iterable[tuple[int, int]]):
        self._by_key = dict(known)
        self._fresh = next(reversed(self._by_key.values()), -1) + 1
        #: Those below `_fresh` that are free, a heap.
        self._free: list[int] = []
        if len(self._by_key) < self._fresh:
            self._free = sorted(set(range(self._fresh)) - set(self._by_key.values()))
        self.get = self._by_key.get

    @property
    def unused(self) -> int:
        """The number that the next key will have."""
        return self._free[0] if self._free else self._fresh

    def take(self, key: int) -> None:
        """Give the unused number to a key."""
        if self._free:
            self._by_key[key] = heapq.heappop(self._free)
        else:
            self._by_key[key] = self._fresh
            self._fresh += 1

    def give_back(self, key: int) -> int:
        """The key is no longer there; the number that it had."""
        number = self._by_key.pop(key)
        heapq.heappush(self._free, number)
        return number

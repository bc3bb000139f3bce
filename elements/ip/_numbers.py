"""Numbers for keys: each new key gets the lowest free number."""

import heapq
from collections.abc import Iterable


class Numbers:
    """`known` has (key, number) of the present keys, by ascending numbers."""

    def __init__(self, known: Iterable[tuple[int, int]]):
        self._by_key = dict(known)
        self._fresh = next(reversed(self._by_key.values()), -1) + 1
        #: Free numbers below `_fresh`, a heap.
        self._free: list[int] = []
        if len(self._by_key) < self._fresh:
            self._free = sorted(set(range(self._fresh)) - set(self._by_key.values()))
        self.get = self._by_key.get

    @property
    def unused(self) -> int:
        """The number for the next key."""
        return self._free[0] if self._free else self._fresh

    def take(self, key: int) -> None:
        """Assign the next number to a key."""
        if self._free:
            self._by_key[key] = heapq.heappop(self._free)
        else:
            self._by_key[key] = self._fresh
            self._fresh += 1

    def give_back(self, key: int) -> int:
        """Remove a key; returns its number."""
        number = self._by_key.pop(key)
        heapq.heappush(self._free, number)
        return number

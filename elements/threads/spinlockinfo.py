from collections.abc import Iterator

from clickbpf.declare import ArgError, Names, unquote

from ..common._entries import NamingElement
from ._spinlock import KIND


class SpinlockInfo(NamingElement):
    """gives names to spinlocks

    Synopsis: `SpinlockInfo(NAME, ...)`

    Each name is a lock's, for SpinlockAcquire, SpinlockRelease and SpinlockPush in the compound around the SpinlockInfo and below.
    Elements' own state needs no such locks: elements that several threads may enter already have locks.

    Arguments:

      - NAME: a lock's name. Any number.

    Example: only one thread at a time is between a and b:

        SpinlockInfo(lock);
        FromDevice(eth0) -> a :: SpinlockAcquire(lock) -> Paint(1) -> b :: SpinlockRelease(lock) -> Queue -> ToDevice(eth1);
    """

    def define_names(self, names: Names) -> None:
        self._count = 0
        super().define_names(names)

    def _define(self, text: str) -> Iterator[ArgError]:
        number = self.context.router.position[self.name] if self.context.router else 0
        self._names.define(KIND, self.name, unquote(text), f"{number}_{self._count}")
        self._count += 1
        yield from ()

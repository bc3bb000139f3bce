"""Spinlocks by the names that SpinlockInfo declares."""

import os

from clickbpf.declare import USER, ArgError, Element, Required, String

KIND = "spinlock"


class SpinlockElement(Element, runs=USER):
    """In C files of its classes, SPINLOCK is the lock."""

    args = (Required("LOCK", String(), "a name that a SpinlockInfo declares"),)

    def configure(self) -> None:
        name = self.cfg.lock.decode("utf-8", "surrogateescape") if isinstance(self.cfg.lock, bytes) else self.cfg.lock
        self._lock = self.context.names.query(KIND, self.name, name)
        if self._lock is None:
            raise ArgError(f"cannot locate spinlock {name}", "name it in a SpinlockInfo", argument="LOCK")

    def code(self) -> str:
        """The definition of the lock, compiled once for the router."""
        lock = f"spinlock_{os.fsencode(self._lock).hex()}"
        return (
            f"#ifndef HAVE_{lock}\n#define HAVE_{lock}\nLASTING_AS(struct spinlock, {lock}, {lock}_own);\n#endif\n"
            f"#undef SPINLOCK\n#define SPINLOCK {lock}\n"
        )

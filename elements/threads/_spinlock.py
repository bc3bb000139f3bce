"""Spinlocks by name, as SpinlockInfo declares them."""

from __future__ import annotations

import os

from clickbpf.args import ArgError, Required, String
from clickbpf.vocabulary.element import USER, Element

KIND = "spinlock"


class SpinlockElement(Element):
    """C files of its classes find the lock as SPINLOCK."""

    runs = USER
    args = (Required("LOCK", String()),)

    def configure(self) -> None:
        name = self.cfg.lock.decode("utf-8", "surrogateescape") if isinstance(self.cfg.lock, bytes) else self.cfg.lock
        self._lock = self.context.names.query(KIND, self.name, name)
        if self._lock is None:
            raise ArgError(f"cannot locate spinlock {name}", "name it in a SpinlockInfo", argument="LOCK")

    def code(self) -> str:
        """The lock itself, once for the router."""
        lock = f"spinlock_{os.fsencode(self._lock).hex()}"
        return (
            f"#ifndef HAVE_{lock}\n#define HAVE_{lock}\nLASTING_AS(struct spinlock, {lock}, {lock}_own);\n#endif\n"
            f"#undef SPINLOCK\n#define SPINLOCK {lock}\n"
        )

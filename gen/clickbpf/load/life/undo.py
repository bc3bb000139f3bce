"""Undoing without being interrupted."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM})


class Undo(ExitStack):
    """Steps to undo, the last one first. A user who interrupts twice does not stop them half way."""

    def __exit__(self, *details):
        with uninterrupted():
            return super().__exit__(*details)

    def commit(self) -> None:
        """All is done and stays: an interrupt comes too late from here on, for the rest of this thread."""
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
        self.pop_all()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end the process wait until the end of this."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Undoing without being interrupted."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

INTERRUPTS = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})


class Undo(ExitStack):
    """Steps to undo, the last one first. A second interrupt doesn't stop them half way."""

    def __exit__(self, *details):
        with uninterrupted():
            return super().__exit__(*details)

    def commit(self) -> None:
        """Everything is done and stays: from here on, for the rest of this thread, an interrupt comes too late."""
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
        self.pop_all()


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end the process are blocked until the end of this context."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

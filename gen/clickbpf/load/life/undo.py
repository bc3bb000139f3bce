"""Undoing without being interrupted."""

import signal
from contextlib import ExitStack

from clickbpf.load.kernel.interrupts import INTERRUPTS, uninterrupted


class Undo(ExitStack):
    """Steps to undo, the last one first. A second interrupt doesn't stop them half way."""

    def __exit__(self, *details):
        with uninterrupted():
            return super().__exit__(*details)

    def commit(self) -> None:
        """Everything is done and stays: from here on, for the rest of this thread, an interrupt comes too late."""
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTS)
        self.pop_all()

"""Undoes steps without being interrupted."""

from contextlib import ExitStack

from clickbpf.interrupts import never_again, raise_lost, uninterrupted


class Undo(ExitStack):
    """Steps to undo, the last one first. A second interrupt doesn't stop undoing halfway."""

    def __exit__(self, *details):
        with uninterrupted():
            return super().__exit__(*details)

    def commit(self) -> None:
        """Keep everything that was done. From now on, interrupts come too late."""
        raise_lost()
        never_again()
        self.pop_all()

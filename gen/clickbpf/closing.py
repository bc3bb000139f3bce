"""A base for classes whose instances are closed at the end of a `with` statement."""

from typing import Self


class Closing:
    """A class with a method close()."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

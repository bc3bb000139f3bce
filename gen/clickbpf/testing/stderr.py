"""Catching the text that elements in this process print."""

import os
import sys
from collections.abc import Callable
from typing import TypeVar

STANDARD_ERROR = 2

T = TypeVar("T")


class Printed:
    """Catches text written to the descriptor of standard error, also by C code."""

    def __init__(self) -> None:
        self._file = os.memfd_create("printed")
        #: What the last call printed.
        self.text = ""

    def during(self, call: Callable[[], T]) -> T:
        """Call a function and return its result; afterwards `text` is the printed text."""
        sys.stderr.flush()
        before = os.dup(STANDARD_ERROR)
        try:
            os.dup2(self._file, STANDARD_ERROR)
            return call()
        finally:
            sys.stderr.flush()
            os.dup2(before, STANDARD_ERROR)
            os.close(before)
            length = os.lseek(self._file, 0, os.SEEK_CUR)
            self.text = os.pread(self._file, length, 0).decode(errors="replace")
            os.lseek(self._file, 0, os.SEEK_SET)

    def close(self) -> None:
        os.close(self._file)

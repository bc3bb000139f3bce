"""Waiting for what has to happen, however busy the machine is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def eventually(condition: Callable[[], Found], patience: float = 60) -> Found:
    """What `condition()` gives once it is true; what it gives after so many seconds if it isn't."""
    end = time.monotonic() + patience
    while not (found := condition()) and time.monotonic() < end:
        time.sleep(0.002)
    return found

"""Waits for descriptors of any number: select() doesn't accept numbers above 1023."""

import math
import select
from collections.abc import Iterable


def readable(descriptors: Iterable[int], seconds: float | None = None) -> set[int]:
    """The descriptors that can be read, as soon as there is one; none after `seconds`."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in poll.poll(None if seconds is None else math.ceil(seconds * 1000))}

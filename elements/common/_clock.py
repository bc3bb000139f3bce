"""The time on the clock that elements' C files see as now()."""

import time

from clickbpf.declare import Element


def now(element: Element) -> int:
    """Nanoseconds. Without a runtime in this process: CLOCK_MONOTONIC, which the kernel path and runtimes without simulated time use."""
    return element.runtime.clock if element.runtime else time.monotonic_ns()

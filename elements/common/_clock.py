"""The time on the clock that elements' C files see as now()."""

import ctypes
import time

from clickbpf.declare import Element


def now(element: Element, operation: int) -> int:
    """Nanoseconds; `operation` is the one of the element's CONTROL that stores now() where its argument points.

    Without a runtime in this process: CLOCK_MONOTONIC, which the kernel path and runtimes without simulated time use.
    """
    if element.runtime is None:
        return time.monotonic_ns()
    clock = (ctypes.c_uint64 * 1)()
    element.runtime.control(operation, clock)
    return clock[0]

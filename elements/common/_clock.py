"""The time on the clock that elements' C files see as now()."""

import ctypes
import time

from clickbpf.declare import Element


def now(element: Element) -> int:
    """Nanoseconds. The element's CONTROL stores now() where its argument points: by the operation NOW, or by its only one.

    Without a runtime in this process: CLOCK_MONOTONIC, which the kernel path and runtimes without simulated time use.
    """
    if element.runtime is None:
        return time.monotonic_ns()
    clock = (ctypes.c_uint64 * 1)()
    element.runtime.control("NOW" if element.operations else 0, clock)
    return clock[0]

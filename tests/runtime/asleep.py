"""Whether threads of this process sleep: what the kernel has counted, which is the same on a busy machine."""

import re
import threading
import time
from pathlib import Path

TASKS = Path("/proc/self/task")


def threads() -> set[int]:
    """Those that run now, by the kernel's numbers."""
    return {int(task.name) for task in TASKS.iterdir()}


def wakes_rarely(numbers: set[int], most: int = 20, patience: float = 30) -> bool:
    """Whether the threads come to sleep all at once, and are then woken at most so many times in half a second.

    A thread that polls continuously never sleeps, and is ready to run even if others have the CPU; a thread that polls now and
    then is woken for it.
    """
    assert numbers and threading.get_native_id() not in numbers
    end = time.monotonic() + patience
    while not all(_state(number) == "S" for number in numbers):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    before = _wakes(numbers)
    time.sleep(0.5)
    return _wakes(numbers) - before <= most


def _state(number: int) -> str:
    return (TASKS / str(number) / "stat").read_text().rpartition(")")[2].split()[0]


def _wakes(numbers: set[int]) -> int:
    """Context switches so far: each sleep is one, and a thread that doesn't sleep has one whenever it is preempted."""
    status = [(TASKS / str(number) / "status").read_text() for number in numbers]
    return sum(int(count) for text in status for count in re.findall(r"ctxt_switches:\s+(\d+)", text))

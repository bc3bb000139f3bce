"""Whether a router may still have packets to process: in its runtime's threads, or in the kernel's for received packets."""

from contextlib import suppress
from functools import cache
from pathlib import Path

PROC = Path("/proc")


def at_work(process: int | None) -> bool:
    """Whether a thread of the process (None: no process) or a kernel thread that processes packets is running or runnable."""
    own = list((PROC / str(process) / "task").glob("[0-9]*")) if process else []
    return any(map(_runs, (*own, *_kernels())))


@cache
def _kernels() -> tuple[Path, ...]:
    """The kernel's ksoftirqd threads, one for each CPU; none in a container that hides them."""
    return tuple(path.parent for path in PROC.glob("[0-9]*/comm") if _read(path).startswith("ksoftirqd/"))


def _runs(task: Path) -> bool:
    """Whether the task's state is R, running or runnable (proc(5))."""
    return _read(task / "stat").rpartition(")")[2].split()[:1] == ["R"]


def _read(path: Path) -> str:
    with suppress(OSError):
        return path.read_text()
    return ""

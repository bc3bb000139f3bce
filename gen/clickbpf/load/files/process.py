"""Processes, identified by id and start time: an id alone may belong to another process by now."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import clickbpf
from clickbpf import private
from clickbpf.frozen import frozen
from clickbpf.waiting import readable

#: Fields of /proc/PID/stat, counted after the command's name: times are in clock ticks, resident memory in pages.
_PARENT, _FLAGS = 1, 6
_USER_TIME, _SYSTEM_TIME, _START, _RESIDENT = 11, 12, 19, 21
#: PF_EXITING of these flags, and SIGKILL among pending signals.
_EXITING, _KILLED = 1 << 2, 1 << signal.SIGKILL - 1


@frozen
class Usage:
    """A process's usage: CPU time in seconds, resident memory in bytes, open descriptors."""

    cpu: float
    resident: int
    descriptors: int


@frozen
class Process:
    """One process, whether it still runs or not. `start` is in clock ticks since boot."""

    pid: int
    start: int

    @classmethod
    def here(cls) -> Self:
        return cls(os.getpid(), _start(os.getpid()))

    @classmethod
    def of(cls, pid: int) -> Self | None:
        """The process with this id, or None."""
        start = _start(pid)
        return None if start is None else cls(pid, start)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parse the text that str() returns; None for any other text."""
        with suppress(ValueError):
            pid, start = map(int, text.split())
            return cls(pid, start)
        return None

    @classmethod
    def in_file(cls, path: Path) -> Self | None:
        """The process in a file; None if there is no such file."""
        return cls.parse(private.read(path) or "")

    def __str__(self) -> str:
        return f"{self.pid} {self.start}"

    def age(self) -> float:
        """Seconds since its start."""
        return time.clock_gettime(time.CLOCK_BOOTTIME) - self.start / os.sysconf("SC_CLK_TCK")

    def usage(self) -> Usage | None:
        """Its usage so far; None if it is gone."""
        with suppress(OSError):
            words = _stat(self.pid)
            descriptors = sum(1 for _ in Path(f"/proc/{self.pid}/fd").iterdir())
            if int(words[_START]) == self.start:
                ticks = int(words[_USER_TIME]) + int(words[_SYSTEM_TIME])
                return Usage(ticks / os.sysconf("SC_CLK_TCK"), int(words[_RESIDENT]) * os.sysconf("SC_PAGE_SIZE"), descriptors)
        return None

    def parent(self) -> int:
        """The process id of its parent; 0 if it is gone."""
        with suppress(OSError):
            words = _stat(self.pid)
            return int(words[_PARENT]) if int(words[_START]) == self.start else 0
        return 0

    @contextmanager
    def opened(self) -> Iterator[int | None]:
        """A descriptor of this process, and not of a later one with its id; None if it has ended."""
        try:
            found = os.pidfd_open(self.pid)
        except (OSError, OverflowError):
            yield None
            return
        try:
            yield found if _start(self.pid) == self.start and not ended(found, 0) else None
        finally:
            os.close(found)

    def runs(self) -> bool:
        """Whether it has neither ended nor been killed. One that was killed may take a while to end."""
        with self.opened() as found:
            return found is not None and not self._is_killed()

    def _is_killed(self) -> bool:
        with suppress(OSError):
            folder = Path(f"/proc/{self.pid}")
            if int((folder / "stat").read_text().rpartition(")")[2].split()[_FLAGS]) & _EXITING:
                return True
            lines = (folder / "status").read_text().splitlines()
            return any(int(line.split()[1], 16) & _KILLED for line in lines if line.startswith(("SigPnd:", "ShdPnd:")))
        return True


def ended(process: int, seconds: float) -> bool:
    """Whether the process of a descriptor ends within `seconds`."""
    return bool(readable([process], seconds))


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def _start(pid: int) -> int | None:
    with suppress(OSError):
        return int(_stat(pid)[_START])
    return None


def own_environment() -> dict[str, str]:
    """The environment for a new process that runs this package, which it finds where this process found it."""
    own = str(Path(clickbpf.__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([own, *filter(None, [os.environ.get("PYTHONPATH")])])}


def start_beside(module: str, *arguments: str, stdin: Any) -> subprocess.Popen:
    """Run a module of this package in a process that outlives this one and its terminal, without output. `stdin` is that of Popen."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=own_environment(),
        start_new_session=True,
    )

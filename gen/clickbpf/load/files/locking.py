"""Locks on folders. A process that has to wait longer than a moment reports this, and the process that has the lock."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import Diagnostic
from clickbpf.messages import show

#: Seconds before the report, and between two attempts.
PATIENCE, GLANCE = 1.0, 0.05
#: The most characters of a command that are shown.
COMMAND = 80


def take(lock: int, path: Path) -> None:
    """Lock an open file or folder, whose name is `path`."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(GLANCE)
    show([Diagnostic(None, f"waiting for the lock on {path}, which {holder(lock)} has", None, "warning")])
    fcntl.flock(lock, fcntl.LOCK_EX)


def holder(lock: int) -> str:
    """The process that has the lock on an open file, in words."""
    status = os.fstat(lock)
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    for line in Path("/proc/locks").read_text().splitlines():
        words = line.split()
        if words[1] == "FLOCK" and words[5] == file:
            return f"process {words[4]}{_command(words[4])}"
    return "another process"


def _command(pid: str) -> str:
    """The process's command line, in one line and without control characters: another user may have chosen the arguments, or they may be a
    configuration."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        line = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
        return f" ({line if len(line) <= COMMAND else line[: COMMAND - 3] + '...'})"
    return ""

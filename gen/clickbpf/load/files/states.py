"""How a loaded router is: decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from clickbpf import private
from clickbpf.load.files.places import RunFolder

#: All of it runs.
RUNNING = "running"
#: An element, or a user, has ended the run: the kernel path goes on, what it hands over is a counted drop. Handlers answer.
STOPPED = "stopped"
#: The runtime's process is gone; the kernel path goes on, what it hands over is a counted drop.
DEGRADED = "degraded"
#: The runtime's process is gone, and no device has a program of the router.
DEAD = "dead"
#: Loading or unloading was cut off: unload takes the rest away.
INCOMPLETE = "incomplete"


def state(folder: RunFolder, runtime: int | None, complete: bool, attached: Iterable[bool]) -> str:
    """`runtime`: its process, if that runs; `complete`: whether all its pins and files are there; `attached`: of each of its
    attachments, whether it is on a device."""
    if not complete:
        return INCOMPLETE
    if runtime is not None:
        return STOPPED if has_stopped(folder) else RUNNING
    return DEGRADED if any(attached) else DEAD


def has_stopped(folder: RunFolder) -> bool:
    """Whether the runtime has said so: it may run again, as another router."""
    with suppress(FileNotFoundError):
        return folder.state.read_text() == STOPPED
    return False


def tell(folder: RunFolder, now: str) -> None:
    """The runtime's process says how it is, to the log (its output) and to those who ask."""
    private.write(folder.state, now.encode())
    print(now, flush=True)

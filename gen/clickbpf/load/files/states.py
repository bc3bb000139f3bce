"""The state of a loaded router, and of its runtime's code: determined here and nowhere else."""

from collections.abc import Iterable
from contextlib import suppress

from clickbpf import private
from clickbpf.load.files.places import RunFolder

#: All of it runs.
RUNNING = "running"
#: An element, or a user, has ended the run: the kernel path goes on, packets for the runtime are counted drops. Handlers answer.
STOPPED = "stopped"
#: The runtime's process is gone; the kernel path goes on, packets for the runtime are counted drops.
DEGRADED = "degraded"
#: The runtime's process is gone, and no device has a program of the router.
DEAD = "dead"
#: Loading or unloading was interrupted: `unload` removes the rest.
INCOMPLETE = "incomplete"
#: All states.
STATES = (RUNNING, STOPPED, DEGRADED, DEAD, INCOMPLETE)

#: The runtime's code is as fast as it can be.
OPTIMISED = "optimised"
#: It isn't yet: a compiler is at work.
OPTIMISING = "optimising"
#: It isn't, and won't be, because optimising it has failed: the log says why.
UNOPTIMISED = "unoptimised"
#: All of these.
CODES = (OPTIMISED, OPTIMISING, UNOPTIMISED)


def state(folder: RunFolder, runtime: int | None, complete: bool, attached: Iterable[bool]) -> str:
    """`runtime`: its process, if that runs; `complete`: whether all its pins and files are there; `attached`: of each of its
    attachments, whether it is on a device."""
    if not complete:
        return INCOMPLETE
    if runtime is not None:
        return STOPPED if has_stopped(folder) else RUNNING
    return DEGRADED if any(attached) else DEAD


def has_stopped(folder: RunFolder) -> bool:
    """Whether the runtime reported that it stopped: it may run again, as another router."""
    with suppress(FileNotFoundError):
        return folder.state.read_text() == STOPPED
    return False


def report(folder: RunFolder, now: str) -> None:
    """The runtime's process reports its state, in the log (its output) and in a file for other commands."""
    private.write(folder.state, now.encode())
    print(now, flush=True)


def code(folder: RunFolder) -> str:
    """What the runtime has reported of its code; nothing before it has reported anything."""
    with suppress(FileNotFoundError):
        return folder.code.read_text()
    return ""


def report_code(folder: RunFolder, is_quick: bool, is_optimising: bool) -> None:
    """The runtime's process reports how its code was compiled, in a file for other commands."""
    private.write(folder.code, (OPTIMISING if is_optimising else UNOPTIMISED if is_quick else OPTIMISED).encode())

"""The state of a loaded router, and of its runtime's code: determined only here."""

from collections.abc import Iterable

from clickbpf import private
from clickbpf.load.files.places import RunFolder

#: Kernel path and runtime run.
RUNNING = "running"
#: An element or a user has ended the run. The kernel path goes on; packets for the runtime are dropped and counted. Handlers answer.
STOPPED = "stopped"
#: The runtime's process is gone. The kernel path goes on; packets for the runtime are dropped and counted.
DEGRADED = "degraded"
#: The runtime's process is gone, and no device has a program of the router.
DEAD = "dead"
#: Loading or unloading was interrupted: `unload` removes the rest.
INCOMPLETE = "incomplete"
#: All states.
STATES = (RUNNING, STOPPED, DEGRADED, DEAD, INCOMPLETE)

#: The runtime's code is optimised.
OPTIMISED = "optimised"
#: It isn't yet: a compiler is at work.
OPTIMISING = "optimising"
#: It isn't, because optimising it has failed: the log has the reason.
UNOPTIMISED = "unoptimised"
#: All states of the code.
CODES = (OPTIMISED, OPTIMISING, UNOPTIMISED)


def state(folder: RunFolder, runtime: int | None, complete: bool, attached: Iterable[bool]) -> str:
    """The router's state. `runtime`: the process, if it runs; `complete`: whether all pins and files exist; `attached`: for each
    attachment, whether it is on a device."""
    if not complete:
        return INCOMPLETE
    if runtime is not None:
        return STOPPED if has_stopped(folder) else RUNNING
    return DEGRADED if any(attached) else DEAD


def has_stopped(folder: RunFolder) -> bool:
    """Whether the runtime has reported that it stopped. It may run again, as another router."""
    return private.read(folder.state) == STOPPED


def code(folder: RunFolder) -> str:
    """The runtime's report about its code; empty if there is none yet."""
    return private.read(folder.code) or ""


def code_of(is_quick: bool, is_optimising: bool) -> str:
    """The state of a runtime's code: whether it isn't optimised, and whether a compiler is at work."""
    return OPTIMISING if is_optimising else UNOPTIMISED if is_quick else OPTIMISED

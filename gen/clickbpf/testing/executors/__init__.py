"""The executors of routers under test, by name.

native  everything in the user-space runtime within this process; needs no privilege
bpf     the kernel path on XDP by BPF_PROG_TEST_RUN, and the runtime for the packets it hands over
frags   the same for XDP frames in several buffers
tc      the same on TC
live    loaded as users load it, on veth pairs in network namespaces
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from clickbpf.errors import ClickError
from clickbpf.testing.executors.base import Executor
from clickbpf.testing.executors.bpf import Bpf
from clickbpf.testing.executors.frags import Frags
from clickbpf.testing.executors.live import Live
from clickbpf.testing.executors.native import Native
from clickbpf.testing.executors.source import Configuration, Source
from clickbpf.testing.executors.tc import Tc

__all__ = ["EXECUTORS", "Configuration", "Executor", "start", "unavailable"]

#: The beginning of simulated time, in nanoseconds: always the same, so that runs are reproducible.
MOMENT = 10**9

EXECUTORS: Mapping[str, type[Executor]] = {kind.name: kind for kind in (Native, Bpf, Frags, Tc, Live)}


def start(
    configuration: Configuration,
    executor: str | type[Executor] = "native",
    *,
    devices: Mapping[str, str] | None = None,
    variables: Mapping[str, str] | None = None,
    library: tuple[str, ...] = (),
    simtime: bool | int = False,
    threads: int = 1,
    **options: Any,
) -> Executor:
    """Run a configuration on an executor; ClickError if it has mistakes.

    `configuration` is the path of a .click file or a configuration's text. `devices` gives devices Ethernet addresses
    (others get 02:00:00:00:00:01, ...:02 and so on, in the order of the configuration), `variables` are the command line's `VAR=VALUE`,
    and `library` has directories of element classes. With `simtime` the clock of the runtime and the kernel path is stopped at this many
    nanoseconds, or at MOMENT if True, until `advance`. `threads` is the number of the runtime's threads; except on `live` they take turns.
    `options` are the planner's (`clickbpf.plan.Options`).
    """
    source = Source(configuration, tuple((variables or {}).items()), tuple(library), tuple(options.items()), threads)
    kind = EXECUTORS[executor] if isinstance(executor, str) else executor
    return kind(source, devices or {}, MOMENT if simtime is True else simtime or None)


@cache
def unavailable(executor: str) -> str | None:
    """The reason why this machine or user can't run the executor; None if it can."""
    try:
        return EXECUTORS[executor].unavailable()
    except ClickError as error:
        return error.diagnostics[0].message
    except OSError as error:
        return str(error)

"""Routers that take each other's place in a test's own process, with devices in memory and simulated time."""

from __future__ import annotations

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over
from clickbpf.vocabulary.library import Library

#: The time at which routers begin, in ns: late enough that what is over already differs from what isn't, in any unit of time.
START = 10**12


def runtime(text: str, replaces: Runtime | None = None) -> Runtime:
    """A router at the time START, perhaps in the place of another one, which is closed."""
    made = Runtime(Compilation(check_text(text, Library.standard())), clock=START, replaces=replaces)
    if replaces is None:
        made.add_memory_devices()
    made.initialise()
    if replaces is not None:
        take_over(made, replaces, {name: name for name in made.devices})
        replaces.close()
    return made

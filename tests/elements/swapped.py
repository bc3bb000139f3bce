"""Routers that take each other's place in a test's own process, with devices in memory and simulated time."""

from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over
from clickbpf.testing.executors import start
from clickbpf.vocabulary.element import Element
from clickbpf.vocabulary.library import Library

#: The time at which routers begin, in ns: late enough that what is over already differs from what isn't, in any unit of time.
START = 10**12


def runtime(text: str, replaces: Runtime | None = None) -> Runtime:
    """A router at the time START, or in the place of another one and at its time, which is closed."""
    made = Runtime(Compilation(check_text(text, Library.standard())), clock=replaces.clock if replaces else START, replaces=replaces)
    if replaces is None:
        made.add_memory_devices()
    made.initialise()
    if replaces is not None:
        take_over(made, replaces, {name: name for name in made.devices})
        replaces.close()
    return made


def verdicts_while_state_moves(monkeypatch, old: Runtime, text: str, name: str, device: str, frame: bytes) -> tuple[int, int]:
    """What the kernel path of a router does with a frame before its element of that name has the state of the old router's, as devices
    have the new programs by then, and after that. The old router is closed."""
    monkeypatch.setattr(Element, "hotswap_element", lambda element: old.instances.get(element.name))
    with start(text, "bpf", simtime=START) as new:
        before = new.run(device, frame)[0]
        new.runtime.instances[name].take_state(old.instances[name])
        after = new.run(device, frame)[0]
    old.close()
    return before, after

"""Routers on memory devices that replace each other, for tests in which time stands still."""

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.memory import plain_view
from clickbpf.runtime.swap import take_over
from clickbpf.vocabulary.library import Library

LIBRARY = Library.standard()
SECOND = 10**9


def frame(number: int) -> bytes:
    return bytes(12) + b"\x88\xb5" + number.to_bytes(4, "big") + bytes(46)


class Routers:
    """A router on memory devices, and those that replace it; time stands still."""

    def __init__(self, text: str, clock: int = SECOND, **more):
        self.now = Runtime(Compilation(check_text(text, LIBRARY)), clock=clock, **more)
        self.now.add_memory_devices()
        self.now.initialise()
        self.now.settle()

    def replace(self, text: str) -> None:
        old, new = self.now, Runtime(Compilation(check_text(text, LIBRARY)), clock=self.now.clock, replaces=self.now)
        try:
            new.initialise()
            take_over(new, old, {name: name for name in new.devices if name in old.devices})
        except ClickError:
            new.close()
            raise
        self.now = new
        old.close()
        new.settle()

    def send(self, *frames: bytes) -> None:
        for each in frames:
            self.now.inject("eth0", each)

    def counts(self, *names: str) -> list[int]:
        return [int(self.read(f"{name}.count")) for name in names]

    def read(self, name: str) -> str:
        return self.now.handlers.read(*self.now.handlers.split(name))

    def write(self, name: str, text: str = "") -> None:
        self.now.handlers.write(*self.now.handlers.split(name), text)
        self.now.settle()


def resumed(old: Runtime, text: str) -> Runtime:
    """Another runtime that goes on after the death of one, with the memory that the kernel path has: of elements of classes that run there,
    what isn't Private."""
    made = Compilation(check_text(text, LIBRARY))
    elements = made.checked.instances
    shared = {
        name: {state: view for state, view in views.items() if elements[name].state_types[state].shared}
        for name, views in old.views.items()
        if elements[name].runs & {"xdp", "tc"}
    }
    copies = {
        name: {state: plain_view(elements[name].state_types[state], len(view)) for state, view in views.items()}
        for name, views in shared.items()
    }
    new = Runtime(made, clock=old.clock, memories=shared)
    new.add_memory_devices()
    new.initialise(copies)
    new.settle()
    return new

"""Handlers of a loaded router whose runtime doesn't run: they work on the pinned maps of its state."""

from types import SimpleNamespace

from clickbpf.args.error import ArgError
from clickbpf.closing import Closing
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.path.compilation import reopened
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.runtime.elements import initialise_on
from clickbpf.runtime.handlers import Handlers
from clickbpf.runtime.memory import DROPS, drop_counts
from clickbpf.vocabulary.element import running
from clickbpf.vocabulary.state import plain_memory


class KernelState(SimpleNamespace):
    """The part of an element's state that is in the kernel."""

    def __getattr__(self, name: str):
        raise ArgError(f"'{name}' was in the memory of the runtime, which doesn't run", "clickbpf load --runtime-only starts it again")


class DirectHandlers(Handlers, Closing):
    """Handlers that work on the pinned maps until they are closed."""

    def close(self) -> None:
        """Give up the maps' memory, each of which keeps a descriptor open. Handlers and elements refer to each other, so that the memory
        would stay until Python collects such garbage."""
        self._drops = lambda element: {}
        for element in self.elements.values():
            element.state = KernelState()


def direct_handlers(pins: Pins, folder: RunFolder) -> DirectHandlers:
    """Handlers of a loaded router. ClickError if the router is only partly loaded."""
    manifest, made = folder.manifest(), reopened(folder)
    instances = made.checked.instances
    numbers = {name: number for number, name in enumerate(instances)}
    with KernelPath.pinned(manifest, pins) as path:
        states, copies = path.states(instances), path.states(instances, copy=True)
        drops = path.view(manifest.of_role("drops")[0], DROPS)
    slots = len(drops) // max(1, len(numbers))
    elements = {name: running(each, plain_memory(each.state_types, each, slots)) for name, each in instances.items()}
    for name, element in elements.items():
        if name in states:
            initialise_on(copies[name], element)
        element.state = KernelState(**states.get(name, {}))
    return DirectHandlers(made, elements, lambda name: drop_counts(drops, numbers[name], slots))

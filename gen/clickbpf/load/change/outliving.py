"""State that outlives the runtimes of loaded routers, such as IPsec's sequence numbers."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from clickbpf.errors import ClickError
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.path.compilation import reopened
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.runtime.swap import succeed
from clickbpf.vocabulary.element import Element, running


@contextmanager
def outliving(folder: RunFolder, pins: Pins) -> Iterator[dict[str, Element]]:
    """The elements of a loaded router, with the state that outlives its runtime, whether the runtime runs or not."""
    elements = reopened(folder).checked.instances
    with KernelPath.pinned(folder.manifest(), pins) as path:
        yield {name: running(elements[name], views) for name, views in path.outliving(elements).items()}


def go_on_from(name: str, version: str, before: str) -> None:
    """Copy the state that outlives runtimes to one version of a router from another, while neither has a runtime. A version is named by
    its folder's suffix. A router of another version of clickbpf can't be opened; it can't have run either."""
    with (
        suppress(ClickError),
        outliving(RunFolder.of(name, version), Pins.of(name, version)) as kept,
        outliving(RunFolder.of(name, before), Pins.of(name, before)) as used,
    ):
        succeed(kept, used.values())

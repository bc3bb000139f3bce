"""A new kernel path for a running router after an element was given other arguments: the same maps, other programs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.load.change.exchange import Hosted, exchange_programs, swapped
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel.causes import explained
from clickbpf.load.path.attach import Attachment, entries
from clickbpf.load.path.kernelpath import PROGRAMS_OWN, KernelPath, load_kernel
from clickbpf.objects.manifest import Manifest, MapEntry


@contextmanager
def beside(
    hosted: Hosted, changed: Compilation, variables: Mapping[str, bytes] | None = None
) -> Iterator[tuple[Compilation, KernelPath]]:
    """The running router with other arguments, and its programs, loaded on the existing maps with these `const volatile` values.
    ClickError if they need other maps. The programs are released unless the router changes to them."""
    made = changed.anew()
    if made.manifest.states != hosted.path.manifest.states or _shared(made.manifest) != _shared(hosted.path.manifest):
        message = "these arguments need state in the kernel that isn't there, or less of it"
        raise ClickError(message, hint="write the whole configuration to hotconfig, or load --replace")
    content = made.build_bpf().read_bytes()
    threads = hosted.runtime.threads
    with load_kernel(
        content, made.manifest, threads=threads, devices=hosted.devices, variables=variables, reuse=hosted.path
    ) as path:
        yield made, path


def _shared(manifest: Manifest) -> tuple[MapEntry, ...]:
    return tuple(entry for entry in manifest.maps if entry.role not in PROGRAMS_OWN)


def change_over(hosted: Hosted, made: Compilation, path: KernelPath, links: Mapping[str, Attachment], before: KernelPath) -> None:
    """Swap the devices' attachments from the programs `before` to those that were loaded `beside` them, and process what the former have
    handed over. Packets stand still."""
    pairs = [(device, program) for device, program in entries(path, hosted.devices) if device.name in links]

    def swap() -> None:
        with swapped(pairs, links, before.programs.values()):
            pass

    exchange_programs(swap, hosted.devices)
    hosted.runtime.change_handovers(path.manifest.hash, made.annotations)


def change_for_good(hosted: Hosted, made: Compilation, path: KernelPath, links: Mapping[str, Attachment]) -> None:
    """The same from the router's programs, which are released."""
    change_over(hosted, made, path, links, hosted.path)
    hosted.path.become(path)


class Renamed:
    """What other commands find of a loaded router, in the bpffs and in its folder: written under other names, then renamed. State
    keeps its pins; programs, and maps that belong to programs, get new ones."""

    def __init__(self, folder: RunFolder, pins: Pins, made: Compilation, path: KernelPath, old: KernelPath):
        self._object, self._content = folder.object, made.build_bpf().read_bytes()
        own = [entry.name for entry in made.manifest.maps if entry.role in PROGRAMS_OWN]
        self._pinned = {pins.program(name): program for name, program in path.programs.items()}
        self._pinned |= {pins.map(name): path.maps[name] for name in own}
        self._past = [place for name in old.programs if (place := pins.program(name)) not in self._pinned]
        self._past += [at for e in old.manifest.maps if e.role in PROGRAMS_OWN and (at := pins.map(e.name)) not in self._pinned]

    def __enter__(self) -> Renamed:
        """Write it; what isn't renamed by the end of the context is removed."""
        with ExitStack() as undo, explained("the router can't be pinned"):
            undo.callback(self._remove)
            for place, held in self._pinned.items():
                held.pin(_beside(place))
            descriptor = os.open(_beside(self._object), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(descriptor, "wb") as file:
                file.write(self._content)
            undo.pop_all()
        return self

    def rename(self) -> None:
        for place in (*self._pinned, self._object):
            _beside(place).rename(place)
        for place in self._past:
            place.unlink(missing_ok=True)

    def __exit__(self, *exception) -> None:
        self._remove()

    def _remove(self) -> None:
        for place in (*self._pinned, self._object):
            _beside(place).unlink(missing_ok=True)


def _beside(place: Path) -> Path:
    return place.with_name(f"{place.name}+new")

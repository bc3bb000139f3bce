"""Updates the pins and the folder of a running router whose elements have got other arguments: the same maps, other programs."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from clickbpf.compile import Compilation
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel.causes import explained
from clickbpf.load.path.kernelpath import PROGRAMS_OWN, KernelPath


class Renamed:
    """The new pins and object of a loaded router, which other commands read: written under other names, then renamed. State keeps its
    pins; programs, and maps that belong to programs, get new ones."""

    def __init__(self, folder: RunFolder, pins: Pins, made: Compilation, path: KernelPath, old: KernelPath):
        self._object, self._content = folder.object, made.build_bpf().read_bytes()
        own = [entry.name for entry in made.manifest.maps if entry.role in PROGRAMS_OWN]
        self._pinned = {pins.program(name): program for name, program in path.programs.items()}
        self._pinned |= {pins.map(name): path.maps[name] for name in own}
        self._past = [place for name in old.programs if (place := pins.program(name)) not in self._pinned]
        self._past += [at for e in old.manifest.maps if e.role in PROGRAMS_OWN and (at := pins.map(e.name)) not in self._pinned]

    def __enter__(self) -> Self:
        """Write them; at the end of the context they are removed unless they were renamed."""
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

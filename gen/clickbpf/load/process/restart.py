"""Restarting the runtime of a loaded router after it has died or stopped; the kernel path has gone on without it."""

from __future__ import annotations

from clickbpf.errors import ClickError
from clickbpf.load.files import places, states
from clickbpf.load.files.places import Pins, RunFolder, incomplete, locked, not_loaded
from clickbpf.load.files.record import home_of, record
from clickbpf.load.kernel import namespaces
from clickbpf.load.process import service


def resumable(name: str) -> bool:
    """Whether a router of that name is loaded completely, but has no runtime, after a crash for instance."""
    folder = RunFolder.of(name)
    return name in places.loaded() and folder.record.exists() and Pins.of(name).exists() and service.alive(folder) is None


def restart(name: str) -> None:
    """Start it, in the network namespace where the router was loaded; state in the kernel is left as it is."""
    folder = RunFolder.of(name)
    with locked():
        if name not in places.loaded():
            raise not_loaded(name)
        if not folder.record.exists() or not Pins.of(name).exists():
            raise incomplete(name)
        if service.alive(folder) and not states.has_stopped(folder):
            raise ClickError(f"the runtime of {name} is already running")
        found, home = home_of(record(folder))
        if not found:
            raise ClickError(f"the network namespace in which {name} was loaded is gone", hint=f"clickbpf unload {name}")
        service.stop(folder)
        namespaces.call_inside(home, service.start, folder, True)

"""Restarting the runtime of a loaded router after it has died or stopped; the kernel path has gone on without it."""

from clickbpf.errors import ClickError
from clickbpf.load.files import places, states
from clickbpf.load.files.places import Pins, RunFolder, incomplete, locked, not_loaded
from clickbpf.load.files.record import home_of, record
from clickbpf.load.kernel import namespaces
from clickbpf.load.process import service


def resume(name: str, replacing: bool = False, dry_run: bool = False) -> str | None:
    """Have a loaded router run, with the state that the kernel has kept: nothing is done to one that runs. Returns in words what was
    done, or in a `dry_run` would be; None if there is no such router, if parts of it are missing, or if it runs and one is `replacing`
    it."""
    if not _is_whole(name):
        return None
    with locked():
        if not _is_whole(name):
            return None
        if _runs(name):
            return None if replacing else f"{name} runs already"
        if dry_run:
            return f"the runtime of {name} would be restarted"
        _restart(name)
    return f"{name} resumed"


def restart(name: str) -> None:
    """Start the runtime of a router that is loaded, which must not run."""
    with locked():
        if name not in places.loaded():
            raise not_loaded(name)
        if not _is_whole(name):
            raise incomplete(name)
        if _runs(name):
            raise ClickError(f"the runtime of {name} is already running")
        _restart(name)


def _is_whole(name: str) -> bool:
    return name in places.loaded() and RunFolder.of(name).record.exists() and Pins.of(name).exists()


def _runs(name: str) -> bool:
    folder = RunFolder.of(name)
    return service.alive(folder) is not None and not states.has_stopped(folder)


def _restart(name: str) -> None:
    """In the network namespace where the router was loaded; state in the kernel is left as it is."""
    folder = RunFolder.of(name)
    found, home = home_of(record(folder))
    if not found:
        raise ClickError(f"the network namespace in which {name} was loaded is gone", hint=f"clickbpf unload {name}")
    service.stop(folder)
    namespaces.call_inside(home, service.start, folder, True)

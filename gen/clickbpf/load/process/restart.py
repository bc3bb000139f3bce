"""Restarts the runtime of a loaded router that has died or stopped, while the kernel path goes on without it."""

from clickbpf.errors import ClickError
from clickbpf.load.devices.record import call_at_home
from clickbpf.load.files import places, states
from clickbpf.load.files.places import Pins, RunFolder, incomplete, locked, not_loaded
from clickbpf.load.process import service


def resume(name: str, replacing: bool = False, dry_run: bool = False) -> str | None:
    """Restart the runtime of a loaded router, unless it runs, with the state that the kernel has kept. Returns a line about what was done,
    or in a `dry_run` would be; None if there is no such router, parts of it are missing, or it runs and the caller is `replacing` it."""
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
    """Start the runtime of a loaded router; ClickError if it runs."""
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
    """Start a runtime in the network namespace where the router was loaded, leaving state in the kernel as it is."""
    folder = RunFolder.of(name)

    def start_anew() -> None:
        service.stop(folder)
        service.start(folder, keep=True)

    call_at_home(name, start_anew)

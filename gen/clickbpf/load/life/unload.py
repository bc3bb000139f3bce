"""Unloads a router, or the remains of one."""

from collections.abc import Callable
from contextlib import ExitStack, suppress

from clickbpf.load.devices.record import record, record_if_readable
from clickbpf.load.files import places
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.undo import Undo
from clickbpf.load.path.attach import detach_all
from clickbpf.load.process import service


def unload(name: str, say: Callable[[str], None] = print, of: str | None = None) -> None:
    """Detach, end the runtime, restore offloads, remove the router's own devices, pins and folder; each step is done even if others fail.
    With `of`, only unload the router with this version (trial.end()); ClickError if the loaded one has another."""
    with places.locked(), Undo() as steps:
        pins, folder = Pins.of(name), RunFolder.of(name)
        if not pins.exists() and not folder.exists():
            raise places.not_loaded(name)
        if of not in (None, folder.version() or ""):
            raise places.taken(name)
        for suffix in ("", places.NEW, places.OLD):
            remove(Pins.of(name, suffix), RunFolder.of(name, suffix), steps)
    say(f"{name} unloaded")


def remove(pins: Pins, folder: RunFolder, steps: ExitStack) -> None:
    """Register the steps that remove one router; closing `steps` runs them, beginning with detaching."""
    if folder.exists():
        steps.callback(folder.remove)
        steps.callback(_undo_recorded, folder)
        steps.callback(service.stop, folder)
    if pins.exists():
        steps.callback(_unpin, pins)
        steps.callback(record_if_readable(folder).inside_home, detach_all, pins)


def _undo_recorded(folder: RunFolder) -> None:
    """Undo what a record lists, in the namespace where it was done; nothing, if that is gone."""
    done = record(folder)
    found, home = done.home
    if not found:
        return
    for change in done.changes:
        with explained(f"{change.feature} of {change.peer.device} can't be restored"):
            namespaces.call_inside(home, change.undo)
    for classifier in reversed(done.filters):  # the first may have created the qdisc, so it goes last
        with suppress(BpfError):  # its device is gone
            namespaces.call_inside(home, classifier.detach)
    for pair in done.made:
        namespaces.call_inside(home, pair.remove)


def _unpin(pins: Pins) -> None:
    with explained(f"{pins.root} can't be removed"):
        pins.remove()

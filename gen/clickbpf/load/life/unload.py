"""Unloading a router, or what is left of it."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from typing import Any

from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.made import recorded
from clickbpf.load.devices.settings import Change
from clickbpf.load.files import places
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.files.record import home_of, inside_home, record
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.undo import Undo
from clickbpf.load.path.attach import detach_all
from clickbpf.load.process import service


def unload(name: str, say: Callable[[str], None] = print, of: str | None = None) -> None:
    """Detach, end the runtime, restore offloads, remove made devices, pins and folder; each step is done even if others fail. With `of`,
    only the router of this version (trial.end()) is unloaded; ClickError if it is another one."""
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
    """Queue up the steps that remove one router, so that they run when `steps` is closed: detach first, then the rest."""
    if folder.exists():
        steps.callback(folder.remove)
        steps.callback(put_back, record(folder))
        steps.callback(service.stop, folder)
    if pins.exists():
        steps.callback(_unpin, pins)
        steps.callback(inside_home, record(folder), detach_all, pins)


def put_back(done: Mapping[str, Any]) -> None:
    """Undo what a record lists, in the namespace where it was done. A namespace that is gone is no error."""
    found, home = home_of(done)
    if not found:
        return
    for change in done["changes"]:
        with explained(f"{change['feature']} of {change['peer']['device']} can't be put back"):
            namespaces.call_inside(home, Change.from_plain(change).undo)
    for classifier in reversed(done["filters"]):  # the one that the qdisc was made for goes last
        with suppress(BpfError):  # it went with its device
            namespaces.call_inside(home, TcFilter(**classifier).detach)
    for pair in recorded(done):
        namespaces.call_inside(home, pair.remove)


def _unpin(pins: Pins) -> None:
    with explained(f"{pins.root} can't be removed"):
        pins.remove()

"""Attaches a router to devices that were removed and created again, or came back from another network namespace, by replacing the router
with itself."""

import json
from collections.abc import Iterator
from contextlib import suppress

from clickbpf import private
from clickbpf.crossings import GONE
from clickbpf.errors import ClickError
from clickbpf.load.change.takeover import LOOK, ask
from clickbpf.load.devices.devices import all_devices
from clickbpf.load.devices.record import Record, record
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.fds import Map
from clickbpf.load.life.loader import Say
from clickbpf.load.life.reload import request_as_loaded
from clickbpf.load.life.replace import replace
from clickbpf.objects.outbound import wire


def reattach(name: str, say: Say, dry_run: bool = False) -> str | None:
    """Attach a loaded router to devices that came back. Returns a line about what was done, or in a `dry_run` would be, or about devices
    that are gone; None if the router has all its devices. ClickError if only some came back, or a step fails."""
    found, home = record(RunFolder.of(name)).home
    return namespaces.call_inside(home, _reattach, name, say, dry_run) if found else None


def _reattach(name: str, say: Say, dry_run: bool) -> str | None:
    folder = RunFolder.of(name)
    version, before = folder.version(), record(folder)
    here = {device.name for device in all_devices()}
    lost = list(_lost(name, folder, before))
    devices = ", ".join(device for device in lost if device in here)  # other ones may have these names
    if not devices:
        return f"{name} runs without {', '.join(lost)}: there is no such device" if lost else None
    if dry_run:
        return f"{name} would be attached to {devices} again"
    replace(request_as_loaded(name, folder.object.read_bytes(), before, say), version)
    return f"{name} is attached to {devices} again"


def _lost(name: str, folder: RunFolder, before: Record) -> Iterator[str]:
    """The devices that the router was loaded with, but for its own, that have left this network namespace since then. Of those that have
    come back, the maps of devices don't have them any more (which is what XDP sends by), or the runtime knows."""
    own, here = {pair.made.device for pair in before.made}, {device.ifindex for device in all_devices()}
    with suppress(ClickError):  # a runtime that doesn't run
        ask(folder.control, LOOK)
    crossings, manifest = json.loads(private.read(folder.crossings) or "{}"), folder.manifest()
    places = {wire(device): place for place, device in enumerate(manifest.devices)}
    with Map.pinned(Pins.of(name).map(manifest.of_role("tx")[0].name)) as transmit:
        for configured, index in before.ifindexes.items():
            device = before.devices[configured]
            is_there = index in here and crossings.get(device) != GONE and transmit.lookup(places[configured]) is not None
            if configured not in own and not is_there:
                yield device

"""Attaches a router to devices that were removed and created again, by replacing the router with itself."""

from clickbpf.load.devices.devices import all_devices
from clickbpf.load.devices.record import record
from clickbpf.load.files.places import RunFolder
from clickbpf.load.kernel import namespaces
from clickbpf.load.life.loader import Say
from clickbpf.load.life.reload import request_as_loaded
from clickbpf.load.life.replace import replace


def reattach(name: str, say: Say, dry_run: bool = False) -> str | None:
    """Attach a loaded router to devices that came back. Returns a line about what was done, or in a `dry_run` would be, or about devices
    that are gone; None if the router has all its devices. ClickError if only some came back, or a step fails."""
    found, home = record(RunFolder.of(name)).home
    return namespaces.call_inside(home, _reattach, name, say, dry_run) if found else None


def _reattach(name: str, say: Say, dry_run: bool) -> str | None:
    folder = RunFolder.of(name)
    version, before = folder.version(), record(folder)
    own, here = {pair.made.device for pair in before.made}, {device.ifindex: device.name for device in all_devices()}
    lost = [before.devices[device] for device, index in before.ifindexes.items() if device not in own and index not in here]
    devices = ", ".join(device for device in lost if device in here.values())  # new ones may have these names
    if not devices:
        return f"{name} runs without {', '.join(lost)}: there is no such device" if lost else None
    if dry_run:
        return f"{name} would be attached to {devices} again"
    replace(request_as_loaded(name, folder.object.read_bytes(), before, say), version)
    return f"{name} is attached to {devices} again"

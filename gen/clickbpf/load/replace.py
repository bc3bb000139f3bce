"""A router in the place of another one of the same name, without losing packets.

The new kernel path is loaded and pinned beside the old one; then the old one's runtime changes to the new router
(takeover.py): it keeps its sockets, with what waits in them, and swaps the programs of the attachments. What fails on the way
leaves the old router as it was. Devices that both routers make stay.

Where no runtime runs that could change, a new one is started; should an old one run nevertheless, it is ended before, and until
the new one listens, packets for it are counted drops.
"""

from __future__ import annotations

from contextlib import ExitStack

from clickbpf.errors import ClickError
from clickbpf.load import namespaces, service, takeover
from clickbpf.load.attach import attach_all, detach_all, entries
from clickbpf.load.causes import explained
from clickbpf.load.devices import Device
from clickbpf.load.diagnose import check_privileges
from clickbpf.load.fds import Program
from clickbpf.load.kernel import KernelPath
from clickbpf.load.links import Link, TcFilter
from clickbpf.load.loader import Done, Request, furnished, kernel_path, load, surroundings, write_files, write_record
from clickbpf.load.made import recorded
from clickbpf.load.places import NEW, OLD, Pins, RunFolder, locked
from clickbpf.load.record import record
from clickbpf.load.tohost import HOOK
from clickbpf.load.undo import Undo, uninterrupted
from clickbpf.load.veth import Change


def replace(request: Request) -> None:
    """Load in the place of the router that has the name; where none has, just load. ClickError if a step fails."""
    folder, pins = RunFolder.of(request.name), Pins.of(request.name)
    if not folder.exists() or not pins.exists():
        return load(request)
    check_privileges()
    with locked(), ExitStack() as held, Undo() as undo:
        before, made = _before(request, folder), recorded(record(folder))
        request = furnished(request, undo, kept=made)
        new = RunFolder.of(request.name, NEW)
        undo.callback(new.remove)
        write_files(request, new)
        with kernel_path(request) as path:
            undo.callback(Pins.of(request.name, NEW).remove)
            path.pin(Pins.of(request.name, NEW))
            if request.keeps_process and service.alive(folder):
                _change_within(request, path, before, undo)
            else:
                _change_places(request.name, folder, undo)
                undo.callback(request.start(path, request.devices))
                write_record(request, folder, _swap(request, path, before, undo, held))
        undo.commit()
        with uninterrupted():
            detach_all(Pins.of(request.name, OLD))
            Pins.of(request.name, OLD).remove()
            RunFolder.of(request.name, OLD).remove()
            for pair in made:
                if pair.name not in {kept.name for kept in request.made}:
                    pair.remove()


def _before(request: Request, folder: RunFolder) -> Done:
    """What was done to devices for the router that is there; ClickError if it can't be taken over."""
    told = record(folder)
    if not told.get("mode"):
        raise ClickError(f"{request.name} is loaded in parts only", hint=f"clickbpf unload {request.name}, then load")
    if told["namespace"] != namespaces.here():
        raise ClickError(f"{request.name} was loaded in another network namespace", hint="replace it from there, or unload it")
    if request.mode not in ("auto", told["mode"]):
        raise ClickError(
            f"{request.name} is attached in {told['mode']} mode, which replacing does not change",
            hint=f"clickbpf unload {request.name}, then load",
        )
    return Done(
        told["mode"], tuple(map(Change.from_plain, told["changes"])), tuple(TcFilter(**classifier) for classifier in told["filters"])
    )


def _change_within(request: Request, path: KernelPath, before: Done, undo: ExitStack) -> None:
    """Let the running process change to the new router, and give that the old one's name and attachments."""
    name = request.name
    folder, pins, new = RunFolder.of(name), Pins.of(name), Pins.of(name, NEW)
    kept = [device for device, _ in entries(path, request.devices) if _is_attached(device, pins)]
    fresh = [(device, program) for device, program in entries(path, request.devices) if device not in kept]
    undo.callback(_detach, [new.link(device.name) for device, _ in fresh])
    mode = attach_all(fresh, before.mode, undo, new, request.say)
    takeover.ask(folder.control)
    with uninterrupted(), explained(f"{name} was replaced, but can't be renamed"):
        undo.pop_all()
        for device in kept:
            new.link(device.name).parent.mkdir(parents=True, exist_ok=True)
            _rename(pins.link(device.name), new.link(device.name))
        for of in (Pins.of, RunFolder.of):
            _rename(of(name).root, of(name, OLD).root)
            _rename(of(name, NEW).root, of(name).root)
        for file in ("control", "log", "pid"):
            _rename(RunFolder.of(name, OLD).root / file, folder.root / file)
    write_record(request, folder, surroundings(request, undo, pins, Done(mode, before.changes, before.filters)))


def _is_attached(device: Device, pins: Pins) -> bool:
    if not pins.link(device.name).exists():
        return False
    with explained(f"the attachment of {device} can't be read"), Link.pinned(pins.link(device.name)) as link:
        return link.info().ifindex == device.ifindex


def _change_places(name: str, folder: RunFolder, undo: ExitStack) -> None:
    """End the old runtime and let pins and folders change their names; undone, the old runtime runs again."""
    if service.alive(folder):
        undo.callback(service.start, folder, keep=True)
        service.stop(folder)
    with explained(f"{name} can't be replaced"):
        for of in (Pins.of, RunFolder.of):
            old, current, new = of(name, OLD).root, of(name).root, of(name, NEW).root
            undo.callback(_rename, old, current)
            _rename(current, old)
            undo.callback(_rename, current, new)
            _rename(new, current)


def _rename(source, target) -> None:
    if source.exists():
        source.rename(target)


def _swap(request: Request, path: KernelPath, before: Done, undo: ExitStack, held: ExitStack) -> Done:
    """Give the devices' attachments the new programs; devices that had none are attached. `held` keeps the old programs."""
    pins, old = Pins.of(request.name), Pins.of(request.name, OLD)
    fresh = []
    for device, program in entries(path, request.devices):
        if not _take_over(device, program, pins, old, undo, held):
            fresh.append((device, program))
    undo.callback(_detach, [pins.link(d.name) for d, _ in fresh] + [pins.link(d.name, HOOK) for d in request.devices])
    mode = attach_all(fresh, before.mode, undo, pins, request.say)
    return surroundings(request, undo, pins, Done(mode, before.changes, before.filters))


def _take_over(device: Device, program: Program, pins: Pins, old: Pins, undo: ExitStack, held: ExitStack) -> bool:
    """Swap the program of a device's attachment and let the new router have it; False if the device has none."""
    source, target = old.link(device.name), pins.link(device.name)
    if not source.exists():
        return False
    with explained(f"the program of {device} can't be swapped"), Link.pinned(source) as link:
        info = link.info()
        if info.ifindex != device.ifindex:
            return False
        undo.callback(_swap_back, source, held.enter_context(Program.of_id(info.prog_id)))
        link.update(program)
        target.parent.mkdir(parents=True, exist_ok=True)
        undo.callback(_rename, target, source)
        source.rename(target)
    return True


def _swap_back(path, program: Program) -> None:
    with Link.pinned(path) as link:
        link.update(program)


def _detach(paths) -> None:
    for path in paths:
        if path.exists():
            with Link.pinned(path) as link:
                link.detach()

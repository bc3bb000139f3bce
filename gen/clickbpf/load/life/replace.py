"""Replaces a router by another one of the same name, without losing packets.

The new kernel path is loaded and pinned beside the old one. Then the old router's runtime changes to the new router (takeover.py): it
keeps its sockets with the packets in them, and swaps the attachments' programs. If anything fails, the old router stays as it was. Devices
that both routers create stay.

If no runtime runs that could change to the new router, a new one is started, after an old one is ended. Until the new one listens, packets
for it are dropped and counted. If the runtime dies after it has begun to swap programs, the swap is completed, and a new one is started.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace as replaced
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.interrupts import uninterrupted
from clickbpf.load.change import takeover
from clickbpf.load.change.exchange import swapped, wait_for_programs
from clickbpf.load.change.outliving import go_on_from
from clickbpf.load.change.takeover import DROPS_BEFORE, TAKEOVER
from clickbpf.load.devices.attachments import pinned
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.diagnose import check_privileges
from clickbpf.load.devices.needs import NEEDS
from clickbpf.load.devices.record import Done, Record, record, whole_record
from clickbpf.load.devices.spread import Spread
from clickbpf.load.files.places import NEW, OLD, Pins, RunFolder, incomplete, locked, not_loaded, taken
from clickbpf.load.kernel import namespaces
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.fds import Program
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.loader import Request, furnished, kernel_path, load, readied, spread_over, surroundings, write_files, write_record
from clickbpf.load.life.undo import Undo
from clickbpf.load.path.attach import Attachment, attach_all, detach_all, entries, idle_all, links_of
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.load.process import service
from clickbpf.objects.hooks import TC, XDP
from clickbpf.objects.outbound import alike, wire

#: Names under which other links than the devices' own attachments are pinned.
HOOKS = tuple(hook for need in NEEDS for hook in need.hooks)


def replace(request: Request, of: str | None = None) -> None:
    """Replace the router that has the name; if there is none, just load. With `of`, only replace the router with this version
    (RunFolder.version()). ClickError if a step fails."""
    folder, pins = RunFolder.of(request.name), Pins.of(request.name)
    if not folder.exists() and not pins.exists():
        if of is not None:
            raise not_loaded(request.name)
        return load(request)
    if not folder.exists() or not pins.exists():
        raise incomplete(request.name)
    check_privileges()
    with locked(), Undo() as undo:
        if of not in (None, folder.version()):
            raise taken(request.name)
        before = _before(request)
        request = furnished(beside_before(request, folder), undo, kept=before.made)
        new = RunFolder.of(request.name, NEW)
        undo.callback(new.remove)
        write_files(request, new)
        with kernel_path(request) as path:
            undo.callback(Pins.of(request.name, NEW).remove)
            path.pin(Pins.of(request.name, NEW))
            keeps = request.keeps_process and service.alive(folder)
            (_change_within if keeps else _change_places)(request, path, before, undo)
        undo.commit()
        with Undo() as steps:
            if keeps and not service.alive(folder):
                steps.callback(service.start, folder, keep=True)
                steps.callback(service.stop, folder)  # before that
            for pair in before.made:
                if pair.name not in {kept.name for kept in request.made}:
                    steps.callback(pair.remove)
            steps.callback(RunFolder.of(request.name, OLD).remove)
            steps.callback(Pins.of(request.name, OLD).remove)
            steps.callback(detach_all, Pins.of(request.name, OLD))


def beside_before(request: Request, folder: RunFolder) -> Request:
    """The request to replace a folder's router: with its priority, its CPUs unless others are requested, and the devices that it has
    programs on."""
    before = record(folder)
    devices = (program.device for program in folder.manifest().programs if program.device is not None)
    names = (alike(before.devices.get(wire(device), wire(device)), device) for device in devices)
    spread = request.spread or before.spread
    if request.spread and before.spread:
        spread = replaced(request.spread, handing=before.spread.handing)
    kept = {name: getattr(before, name) for name in ("priority", "queues", "interrupts")}
    return replaced(request, spread=spread, taken=frozenset(names), **kept)


def _before(request: Request) -> Record:
    """The old router's record; ClickError if the new one can't take over what was done to devices."""
    before = whole_record(request.name)
    if before.namespace != namespaces.here():
        raise ClickError(f"{request.name} was loaded in another network namespace", hint="replace it from there, or unload it")
    if found := next(_lasting(request, before, f"clickbpf unload {request.name}, then load"), None):
        raise ClickError(f"{request.name} {found[0]}, which replacing does not change", hint=found[1])
    return replaced(before, filters=tuple(each for each in before.filters if each.is_there))


def _lasting(request: Request, before: Record, anew: str) -> Iterator[tuple[str, str]]:
    """What the request would change of the old router and can't, each with a hint; `anew` loads the router once more."""
    hook, priority = TC if before.mode == TC else XDP, before.priority
    if hook != request.manifest.hook:
        yield f"is on {hook}", f"--hook {hook}, or {anew}"
    if request.mode not in ("auto", before.mode):
        yield f"is attached in {before.mode} mode", anew
    if request.priority is not None and priority is None:
        yield "is alone on its devices", f"{anew} --multi"
    if request.priority not in (None, priority):
        yield f"has the priority {priority}", f"--priority {priority}, or {anew}"
    if request.spread is not None and before.spread is None:
        yield "isn't spread over CPUs", f"{anew} --spread"
    if request.queues not in (None, before.queues) or request.interrupts not in ((), before.interrupts):
        yield "was loaded with other --queues or --interrupts", f"leave them out, or {anew}"


def _change_within(request: Request, path: KernelPath, before: Done, undo: ExitStack) -> None:
    """Have the running process change to the new router, and give the new router the old one's name and attachments."""
    name = request.name
    folder, pins, new = RunFolder.of(name), Pins.of(name), Pins.of(name, NEW)
    with ExitStack() as opened:
        links = links_of(pins, before.filters, request.devices, opened)
        kept, fresh = _sort(entries(path, request.devices), links)
        _spread_again(request, path, new, links, undo)
    ready = readied(request, undo, before)
    undo.callback(_detach, [*(new.link(device.name) for device, _ in fresh), *_beside(new, request)])
    ready = surroundings(request, path, undo, new, ready)  # before the swap, so that all that the new programs send is counted
    with idle_all(path, fresh) as until_then:
        attached = attach_all(until_then, before.mode, undo, new, request.say, priority=request.priority, spreads=path.spreads)
    write_record(request, folder.beside(NEW), replaced(ready, mode=attached.mode, filters=(*ready.filters, *attached.filters)))
    _have_it_change(request, path, before)
    with uninterrupted(), explained(f"{name} was replaced, but can't be renamed"):
        undo.pop_all()
        for device, _ in kept:
            _move(pins.link(device.name), new.link(device.name))
            _move(pins.spread(device.name), new.spread(device.name))
        for of in (Pins.of, RunFolder.of):
            _move(of(name).root, of(name, OLD).root)
            _move(of(name, NEW).root, of(name).root)
        for file in folder.of_process():
            if not file.exists():  # the process may have written a newer one already
                _move(RunFolder.of(name, OLD).root / file.name, file)
    write_record(request, folder, _with(ready, attached, entries(path, request.devices)))


def _have_it_change(request: Request, path: KernelPath, before: Done) -> None:
    """Have the runtime change to the new router. If it dies after a device has got its new program, complete the swap here, and copy the
    state that outlives runtimes: restoring the old programs would lose what the new ones have counted."""
    folder, pins = RunFolder.of(request.name), (Pins.of(request.name), Pins.of(request.name, NEW))
    try:
        takeover.ask(folder.control, TAKEOVER)
    except ClickError:
        with ExitStack() as opened:
            links = links_of(pins[0], before.filters, request.devices, opened) | links_of(pins[1], (), request.devices, opened)
            new = {program.info().id for program in path.programs.values()}
            if not any(link.info().prog_id in new for link in links.values()):
                raise
            service.stop(folder)  # it may still be ending
            request.say("the runtime died during the swap, which is completed; another runtime is started")
            with swapped(entries(path, request.devices), links, path.programs.values()):
                go_on_from(request.name, NEW, "")


def _change_places(request: Request, path: KernelPath, before: Done, undo: ExitStack) -> None:
    """End the old runtime, give the name of its pins and folder to the new router's, start the new runtime, and swap the programs. Undoing
    starts the old runtime again."""
    name = request.name
    folder, pins, old = RunFolder.of(name), Pins.of(name), Pins.of(name, OLD)
    _take_places(name, folder, undo)
    ready = readied(request, undo, before)
    with ExitStack() as opened:
        links = links_of(old, before.filters, request.devices, opened)
        kept, fresh = _sort(entries(path, request.devices), links)
        _spread_again(request, path, pins, links, undo)
        undo.callback(request.start(path, request.devices))
        ran = [opened.enter_context(Program.pinned(place)) for place in old.programs()]
        undo.callback(_detach, [*(pins.link(device.name) for device, _ in fresh), *_beside(pins, request)])
        ready = surroundings(request, path, undo, pins, ready)
        with swapped(kept, links, ran):
            for device, _ in kept:
                for place in (Pins.spread, Pins.link):
                    undo.callback(_move, place(pins, device.name), place(old, device.name))
                    _move(place(old, device.name), place(pins, device.name))
            attached = attach_all(fresh, before.mode, undo, pins, request.say, priority=request.priority, spreads=path.spreads)
            write_record(request, folder, _with(ready, attached, [*kept, *fresh]))
            if service.alive(folder):
                wait_for_programs()
                takeover.ask(folder.control, DROPS_BEFORE)


def _beside(pins: Pins, request: Request) -> list[Path]:
    """The pins of surroundings()' attachments."""
    return [pins.link(device.name, hook) for device in request.devices for hook in HOOKS]


def _with(before: Done, attached: Done, pairs: Sequence[tuple[Device, Program]]) -> Done:
    """All that was done, before and now. Classifiers on devices that the new router has no program for are detached."""
    entered = {device.entrance for device, _ in pairs}
    gone = [each for each in before.filters if each.path and each.entrance not in entered]
    filters = (*(each for each in before.filters if each not in gone), *attached.filters)
    for each in gone:
        with suppress(BpfError):  # its device is gone
            each.detach()
        each.bequeath(filters)
    return replaced(before, mode=attached.mode, filters=filters)


def _sort(pairs: Sequence[tuple[Device, Program]], links: Mapping[str, Attachment]) -> tuple[list[tuple[Device, Program]], ...]:
    """Devices with an attachment that stays, and those that get a new one."""
    return [pair for pair in pairs if pair[0].name in links], [pair for pair in pairs if pair[0].name not in links]


def _spread_again(request: Request, path: KernelPath, pins: Pins, links: Mapping[str, Attachment], undo: ExitStack) -> None:
    """Create queues for devices that had none, and move the others' to the request's CPUs."""
    there = {name: link for name, link in links.items() if isinstance(link, Spread)}
    spread_over(request, path, pins, there)
    for device in (device for device in request.devices if device.name in there):
        chosen = path.spreads[device.name].choose(request.spread.of(request.manifest, device.configured))
        undo.callback(path.spreads[device.name].choose_again, chosen)


def _take_places(name: str, folder: RunFolder, undo: ExitStack) -> None:
    if service.alive(folder):
        undo.callback(service.start, folder, keep=True)
    service.stop(folder)  # one that was killed may still have its sockets
    undo.callback(go_on_from, name, "", NEW)
    with explained(f"{name} can't be replaced"):
        for of in (Pins.of, RunFolder.of):
            old, current, new = of(name, OLD).root, of(name).root, of(name, NEW).root
            undo.callback(_move, old, current)
            _move(current, old)
            undo.callback(_move, current, new)
            _move(new, current)


def _move(source: Path, target: Path) -> None:
    """Rename a pin or a folder, if it exists, into a folder that may not exist yet."""
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)


def _detach(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.exists():
            with pinned(path) as link:
                link.detach()

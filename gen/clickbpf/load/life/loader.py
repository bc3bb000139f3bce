"""Loading a built router and attaching it to devices: all of it, or nothing.

Every step is undone when a later one fails. The order: the router's own devices made, kernel path loaded and pinned, offloads that
XDP can't handle switched off, also at the far ends of veth pairs, the runtime started, programs attached that let packets pass, those
that send packets for Linux back in and count what devices refuse, and last the router's own in the place of the former: from then on
packets are forwarded, and a veth pair would lose them if its far end weren't ready.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, field, replace
from types import MappingProxyType
from typing import Any

from clickbpf import private
from clickbpf.compile import take_carried, unpack_carried
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.devices.crossings import AUTO
from clickbpf.load.devices.devices import Device, resolve
from clickbpf.load.devices.diagnose import check_privileges
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.made import Pair, make
from clickbpf.load.devices.need import Attaching
from clickbpf.load.devices.needs import NEEDS
from clickbpf.load.devices.settings import Change
from clickbpf.load.devices.spread import Lanes, Spread, spread_devices
from clickbpf.load.files.places import Pins, RunFolder, check_name, locked
from clickbpf.load.kernel import bpffs, namespaces
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.features import takes_no_frames
from clickbpf.load.life.trial import put_on_trial
from clickbpf.load.life.undo import Undo
from clickbpf.load.path.attach import Attachment, attach_all, detach_all, entries, idle_all, links_of
from clickbpf.load.path.kernelpath import KernelPath, load_kernel
from clickbpf.objects.hooks import TC
from clickbpf.objects.manifest import Manifest
from clickbpf.objects.outbound import wire

Say = Callable[[str], None]


@frozen
class Request:
    """What to load. `devices` are those of the manifest that exist; the others are made, under the configuration's names or
    those that `names` has for them. `mode` is "native", "generic", or "auto" for native where every driver has it; `crossing`, how the
    runtime's packets leave, one of crossings.CHOICES.

    `trial` is the token of the trial that the router is on until it is confirmed (trial.py), or empty.

    `priority`, if not None, is that of the router's programs beside others on the devices (member.py). `spread` are the CPUs whose queues
    they run in, if they do (spread.py).

    `start` starts the runtime, which fills the elements' state, on the loaded kernel path and the devices, and returns the
    function that stops it. `record` is what later commands need to know; it is kept in the router's folder.
    """

    name: str
    content: bytes
    manifest: Manifest
    devices: tuple[Device, ...]
    start: Callable[[KernelPath, Sequence[Device]], Callable[[], None]]
    names: Mapping[str, str] = field(default_factory=dict)
    made: tuple[Pair, ...] = ()
    mode: str = "auto"
    crossing: str = AUTO
    fix_veth: bool = True
    threads: int = 1
    trial: str = ""
    priority: int | None = None
    spread: Lanes | None = None
    record: Mapping[str, Any] = field(default_factory=dict)
    say: Say = print
    #: The names of the devices that have a program of the router in whose place this one is to be.
    taken: frozenset[str] = frozenset()
    #: Whether a running service process of the name is to change to this router; then none is started.
    keeps_process: bool = False


def load(request: Request) -> None:
    """Load under a name, to stay when this process ends. ClickError if that name is taken or a step fails."""
    check_name(request.name)
    check_privileges()
    with locked(), Undo() as undo:
        pins, folder = _claim(request, undo)
        request = furnished(request, undo)
        write_files(request, folder)
        with kernel_path(request) as path:
            undo.callback(pins.remove)
            path.pin(pins)
            spread_over(request, path, pins)
            ready = readied(request, undo, Done(mode_to_try(request)))
            write_record(request, folder, replace(ready, mode=""))
            undo.callback(request.start(path, request.devices))
            undo.callback(detach_all, pins)
            write_record(request, folder, attach(request, path, undo, pins, ready))
        undo.commit()


def check(request: Request) -> None:
    """ClickError if the router can't be on its devices."""
    for need in NEEDS:
        need.check(request)


def furnished(request: Request, undo: ExitStack, kept: Sequence[Pair] = ()) -> Request:
    """The request with all devices of the manifest, in its order; those that the router makes are made, or `kept`. ClickError if it can't
    be on the others."""
    check(request)
    made = make(request.manifest, request.names, kept, undo)
    ends = resolve([pair.made.device for pair in made], mapping={pair.made.device: pair.end for pair in made})
    found = {device.configured: device for device in (*request.devices, *ends)}
    return replace(request, made=made, devices=tuple(found[name] for name in request.manifest.devices))


def kernel_path(request: Request) -> KernelPath:
    spread = request.spread is not None
    return load_kernel(request.content, request.manifest, threads=request.threads, devices=request.devices, spread=spread)


def spread_over(request: Request, path: KernelPath, pins: Pins | None, before: Mapping[str, Spread] = MappingProxyType({})) -> None:
    """Make the queues that the devices' packets are spread over, and pin them; those of the router `before` stay."""
    for device in spread_devices(request):
        if device.name in before:
            path.spreads[device.name] = before[device.name].again()
            continue
        path.spreads[device.name] = made = Spread.made(device, request.spread)
        if pins:
            with explained("the router can't be pinned"):
                made.keep(pins.spread(device.name))


@frozen
class Done:
    """What was done to devices: the mode of XDP, or "tc"; offloads switched at far ends of veth pairs; TC classifiers."""

    mode: str = ""
    changes: tuple[Change, ...] = ()
    filters: tuple[TcFilter, ...] = ()


def attach(
    request: Request,
    path: KernelPath,
    undo: ExitStack,
    keep: Pins | ExitStack,
    ready: Done,
    links: dict[str, Attachment] | None = None,
) -> Done:
    """Attach the programs to devices that are ready, once there is what Linux's stack needs, and who counts what is sent. They are pinned,
    or kept in `links`."""
    pins, pairs = keep if isinstance(keep, Pins) else None, entries(path, request.devices)
    with ExitStack() as opened:
        until_then = opened.enter_context(idle_all(path, pairs))
        how = {"links": links, "priority": request.priority, "spreads": path.spreads}
        attached = attach_all(until_then, ready.mode, undo, pins, request.say, **how)
        done = surroundings(request, path, undo, keep, replace(ready, mode=attached.mode, filters=attached.filters))
        begun = links_of(pins, attached.filters, request.devices, opened) if pins else links
        with explained("the programs can't be attached"):
            for device, program in pairs:
                begun[device.name].update(program)
    return done


def mode_to_try(request: Request) -> str:
    """The mode to try: generic where some driver takes no frames from native XDP. (veth does when its other end is ready.)"""
    if request.manifest.hook == TC:
        return TC
    for device in request.devices:
        if device.kind != "veth" and request.mode != "generic" and takes_no_frames(device.ifindex):
            request.say(f"{device} takes no frames from native XDP" + (": generic mode on all devices" if request.mode == "auto" else ""))
            return "generic" if request.mode == "auto" else request.mode
    return request.mode


def readied(request: Request, undo: ExitStack, before: Done) -> Done:
    """Switch the devices' settings to what the router needs, except what was done `before`; say what only the user can do. Returns all
    switched settings. This comes before programs that send by a device."""
    changes: list[Change] = []
    for device in request.devices:
        for wanted in (wanted for need in NEEDS for wanted in need.wanted(request, device, before.mode)):
            for change in wanted.switched(request.fix_veth, request.say):
                undo.callback(change.undo)
                changes.append(change)
    for line in (line for need in NEEDS for line in need.lacking(request)):
        request.say(line)
    return replace(before, changes=(*before.changes, *changes))


def surroundings(request: Request, path: KernelPath, undo: ExitStack, keep: Pins | ExitStack, before: Done) -> Done:
    """Do what else the attached devices need for Linux's stack, except what was done `before`, and for what leaves. Returns everything
    done. Attachments belong to the router: they are pinned, or held by the stack `keep`."""
    given = frozenset(classifier.ifindex for classifier in before.filters if not classifier.path)
    to = Attaching(request, path, before.mode, given, undo, keep)
    return replace(before, filters=(*before.filters, *(made for need in NEEDS for made in need.attach(to))))


def _claim(request: Request, undo: ExitStack) -> tuple[Pins, RunFolder]:
    """The router's places, which must be free."""
    if bpffs.mounted() is None:
        undo.callback(bpffs.unmount)
    pins, folder = Pins.of(request.name), RunFolder.of(request.name)
    if pins.exists() or folder.exists():
        raise ClickError(
            f"a router named {request.name} is loaded",
            hint=f"--replace replaces it, 'clickbpf unload {request.name}' removes it",
        )
    undo.callback(folder.remove)
    return pins, folder


def write_files(request: Request, folder: RunFolder) -> None:
    """The router's folder with what the runtime and later commands read."""
    with explained(f"{folder.root} can't be filled"):
        private.make_folder(folder.root)
        private.write(folder.object, request.content)
        unpack_carried(request.content, folder.carried)
        if request.trial:
            put_on_trial(request.trial, folder, RunFolder.of(request.name))
    for each in (folder, RunFolder.of(request.name)):  # its folder now, and after it has taken another's place
        take_carried(each.carried)
    write_record(request, folder, Done())


def write_record(request: Request, folder: RunFolder, done: Done) -> None:
    """Write what was done, for the command that undoes it."""
    written = {
        **request.record,
        "threads": request.threads,
        "mode": done.mode,
        "crossing": request.crossing,
        "priority": request.priority,
        "spread": request.spread and asdict(request.spread),
        "devices": {wire(device.configured): wire(device.name) for device in request.devices},
        "ifindexes": {wire(device.configured): device.ifindex for device in request.devices},
        "namespace": namespaces.here(),
        "made": [asdict(pair) for pair in request.made],
        "changes": [asdict(change) for change in done.changes],
        "filters": [asdict(classifier) for classifier in done.filters],
    }
    with explained(f"{folder.record} can't be written"):
        private.write(folder.record, json.dumps(written, indent=1).encode())

"""Loads a built router and attaches it to devices: completely, or not at all.

Every step is undone if a later one fails. The steps:

1. create the router's own devices;
2. load and pin the kernel path;
3. switch off offloads that XDP can't handle, also at the peers of veth devices;
4. start the runtime;
5. attach programs that let all packets pass;
6. attach those that give packets back to Linux, and that count what devices refuse;
7. replace the programs of step 5 by the router's. From now on packets are forwarded, so a veth peer has to be ready before.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from types import MappingProxyType

from clickbpf import private
from clickbpf.cache import take_from
from clickbpf.compile import unpack_carried
from clickbpf.crossings import AUTO
from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.devices.devices import Device, resolve
from clickbpf.load.devices.diagnose import check_privileges
from clickbpf.load.devices.lanes import Lanes
from clickbpf.load.devices.made import make
from clickbpf.load.devices.need import Attaching, entered
from clickbpf.load.devices.needs import NEEDS
from clickbpf.load.devices.pair import Pair
from clickbpf.load.devices.record import REQUESTED, Done, Record
from clickbpf.load.devices.settings import Change
from clickbpf.load.devices.spread import Spread, spread_devices
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
    """What to load, and how.

    - `devices` are the manifest's devices that exist. The others are created, with the names in `names` or else the configuration's.
    - `mode` is "native", "generic", or "auto" for native if every driver has it.
    - `crossing`, one of crossings.CHOICES, is how packets leave the runtime.
    - `affinity` is the CPU of the runtime's first thread, if each is pinned to one, the others to those after it.
    - `trial` is the token of the trial that the router is on until it is confirmed (trial.py), or empty.
    - `priority` orders the router's programs among others on the devices (member.py); None takes the devices for itself.
    - `spread` are the CPUs in whose queues the programs run (spread.py), if any.
    - `queues` is the number of receive queues that devices get, and `interrupts` the CPUs for their interrupts, if any (channels.py).
    - `start` starts the runtime on the loaded kernel path and the devices, and returns the function that stops it.
    - `library` are the folders of the router's element classes, for later commands.
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
    affinity: int | None = None
    trial: str = ""
    priority: int | None = None
    spread: Lanes | None = None
    queues: int | None = None
    interrupts: tuple[int, ...] = ()
    library: Sequence[str] = ()
    say: Say = print
    #: Names of the devices to which the router that this one replaces has attached programs.
    taken: frozenset[str] = frozenset()
    #: Whether the running service process of that name changes to this router, instead of a new one being started.
    keeps_process: bool = False


def load(request: Request) -> None:
    """Load a router that stays when this process ends. ClickError if its name is taken or a step fails."""
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
    """ClickError if the router can't run on its devices."""
    for need in NEEDS:
        need.check(request)


def furnished(request: Request, undo: ExitStack, kept: Sequence[Pair] = ()) -> Request:
    """The request with all devices of the manifest, in its order. The router's own devices are created, or those in `kept` used. ClickError
    if the router can't run on the others."""
    check(request)
    made = make(request.manifest, request.names, kept, undo)
    ends = resolve([pair.made.device for pair in made], mapping={pair.made.device: pair.end for pair in made})
    found = {device.configured: device for device in (*request.devices, *ends)}
    return replace(request, made=made, devices=tuple(found[name] for name in request.manifest.devices))


def kernel_path(request: Request) -> KernelPath:
    return load_kernel(request.content, request.manifest, threads=request.threads, devices=request.devices, spread=request.spread)


def spread_over(request: Request, path: KernelPath, pins: Pins | None, before: Mapping[str, Spread] = MappingProxyType({})) -> None:
    """Create and pin the queues over which the devices' packets are spread; those of the router `before` are used again."""
    for device in spread_devices(request):
        if device.name in before:
            path.spreads[device.name] = before[device.name].again()
            continue
        path.spreads[device.name] = made = Spread.made(device, request.spread.of(request.manifest, device.configured))
        if pins:
            with explained("the router can't be pinned"):
                made.keep(pins.spread(device.name))


def attach(
    request: Request,
    path: KernelPath,
    undo: ExitStack,
    keep: Pins | ExitStack,
    ready: Done,
    links: dict[str, Attachment] | None = None,
) -> Done:
    """Attach the programs to devices that are ready. Programs that let packets pass come first, so that the devices' surroundings() are
    complete when the router's programs replace them. Attachments are pinned, or without pins put into `links`."""
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
    """The XDP mode to try: generic if some driver is known not to transmit frames from native XDP. (veth does once its peer is ready.)"""
    if request.manifest.hook == TC:
        return TC
    with_program = entered(request)
    for device in request.devices:
        if device.kind != "veth" and request.mode != "generic" and takes_no_frames(device.ifindex, device in with_program):
            request.say(f"{device} takes no frames from native XDP" + (": generic mode on all devices" if request.mode == "auto" else ""))
            return "generic" if request.mode == "auto" else request.mode
    return request.mode


def readied(request: Request, undo: ExitStack, before: Done) -> Done:
    """Change the devices' settings as the router needs them, before any program sends by the devices; report what only the user can change.
    Returns all changes, with those that were done `before`."""
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
    """Attach what the devices need besides the router's own programs (Need.attach), unless that was done `before`. Returns all that was
    done. The attachments belong to the router: they are pinned, or held by the stack `keep`."""
    given = frozenset(classifier.ifindex for classifier in before.filters if not classifier.path)
    to = Attaching(request, path, before.mode, given, undo, keep)
    return replace(before, filters=(*before.filters, *(made for need in NEEDS for made in need.attach(to))))


def _claim(request: Request, undo: ExitStack) -> tuple[Pins, RunFolder]:
    """The router's pins and folder; ClickError if either exists."""
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
    """Create the router's folder, with the files that the runtime and later commands read."""
    with explained(f"{folder.root} can't be filled"):
        private.make_folder(folder.root)
        private.write(folder.object, request.content)
        unpack_carried(request.content, folder.carried)
        if request.trial:
            put_on_trial(request.trial, folder, RunFolder.of(request.name))
    for each in (folder, RunFolder.of(request.name)):  # its folder now, and after it has replaced another router
        take_from(each.carried)
    write_record(request, folder, Done())


def write_record(request: Request, folder: RunFolder, done: Done) -> None:
    """Record what was done, for the command that undoes it."""
    Record(
        mode=done.mode,
        changes=done.changes,
        filters=done.filters,
        library=tuple(request.library),
        devices={wire(device.configured): wire(device.name) for device in request.devices},
        ifindexes={wire(device.configured): device.ifindex for device in request.devices},
        namespace=namespaces.here(),
        made=request.made,
        **{name: getattr(request, name) for name in REQUESTED},
    ).write(folder)

"""The sequence by which one router replaces another on its devices, in this process, without losing packets:

    prepare   Create the new router's runtime beside the old one, on a loaded kernel path. Devices of both routers keep their
              sockets, which are entered into the new kernel path's maps; other devices get new sockets.
    freeze    Stop both runtimes.
    swap      Give the devices' attachments the new programs, and wait until no old program runs.
    adopt     Have the old runtime process the packets in its sockets; then the new one takes over sockets and state.
    release   Remove the old router. Its runtime is closed last, by a thread that isn't its own.

A step that fails undoes those before it, and the old router goes on. After `adopt` nothing can fail.

inplace.py does this for `run`, which has loaded both routers itself; takeover.py for a loaded router, where `load --replace`
has loaded and pinned the new one.

A router that stays can get another build of its kernel path, with other arguments or for tracing. Its programs are loaded on the same
maps (`other_programs`), and swapped in the same way (`exchange_path`).
"""

import ctypes
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.load.devices import inlet
from clickbpf.load.devices.devices import Device
from clickbpf.load.kernel.causes import explained
from clickbpf.load.kernel.fds import Content, Program
from clickbpf.load.path.attach import Attachment, entries
from clickbpf.load.path.hosting import add_device, has_left, hide_sockets, runtime_on
from clickbpf.load.path.kernelpath import PROGRAMS_OWN, KernelPath, load_kernel
from clickbpf.objects.manifest import Manifest, MapEntry
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over

#: The number of membarrier(2) by machine, since libc has no function for it; and the command that waits for all code that is running in
#: the kernel.
_MEMBARRIER = {"x86_64": 324, "aarch64": 283, "riscv64": 283}
_GLOBAL = 1
#: Seconds to wait where there is no membarrier, and for packets in the inlet of a router on TC.
GRACE = 0.02


def prepare(
    made: Compilation, path: KernelPath, devices: Sequence[Device], threads: int, undo: ExitStack, old: Runtime | None = None
) -> Runtime:
    """Create a router's runtime, beside the running one if there is one; its elements aren't initialised yet."""
    new = runtime_on(made, path, threads, old)
    undo.callback(new.close)
    new.path, new.interfaces = path, devices
    shared = _shared(new, old) if old else {}
    for index, device in enumerate(devices):
        sockets = old.sockets[shared[device.configured]] if device.configured in shared else ()
        undo.callback(hide_sockets, path, index, sockets)
        add_device(new, path, index, device, sockets)
    return new


def exchange(new: Runtime, old: Runtime, swap: Callable[[], None]) -> None:
    """Replace the old router by the prepared one. `swap` is called while both are stopped; if it raises, the old router goes on."""

    new.initialise()
    shared = _shared(new, old)
    take_over(new, old, shared, lambda: exchange_programs(swap, old))
    _forget_sockets(new, old, shared)
    new.start()


def exchange_programs(swap: Callable[[], None], router: Runtime) -> None:
    """`swap` the programs on a router's devices, while its runtime is stopped. Returns once everything that the old programs have handed
    over is in the runtime's sockets: only then may the runtime receive handovers of the new programs."""
    swap()
    wait_for_programs()
    for spread in router.path.spreads.values():
        spread.settle()
    if router.path.hops:
        router.path.hops.settle()
        wait_for_programs()  # the last packet reaches its socket when the queue's program has ended
    if inlet.cross(router.interfaces):
        wait_for_programs()  # the last packet reaches the socket when the inlet's program has ended
        time.sleep(GRACE)


def _forget_sockets(new: Runtime, old: Runtime, shared: Mapping[str, str]) -> None:
    """Remove the sockets from the old router's XSKMAP: a socket keeps all XSKMAPs alive that it is in."""
    index = {device.configured: index for index, device in enumerate(old.interfaces)}
    for now, before in shared.items():
        hide_sockets(old.path, index[before], new.sockets[now])


@contextmanager
def other_programs(
    runtime: Runtime, changed: Compilation, variables: Mapping[str, Content] | None = None
) -> Iterator[tuple[Compilation, KernelPath]]:
    """Another build of the running router, whose programs are loaded on the existing maps, with these `const volatile` values. ClickError
    if the programs need other maps. They are released unless the router changes to them."""
    made = changed.anew()
    if made.manifest.states != runtime.path.manifest.states or _kept_maps(made.manifest) != _kept_maps(runtime.path.manifest):
        message = "these arguments need state in the kernel that isn't there, or less of it"
        raise ClickError(message, hint="write the whole configuration to hotconfig, or load --replace")
    content, more = made.build_bpf().read_bytes(), {"variables": variables, "reuse": runtime.path, "spread": runtime.path.lanes}
    with load_kernel(content, made.manifest, threads=runtime.threads, devices=runtime.interfaces, **more) as path:
        yield made, path


def _kept_maps(manifest: Manifest) -> tuple[MapEntry, ...]:
    return tuple(entry for entry in manifest.maps if entry.role not in PROGRAMS_OWN)


def exchange_path(runtime: Runtime, made: Compilation, path: KernelPath, links: Mapping[str, Attachment], before: KernelPath) -> None:
    """Swap the devices' programs from those of `before` to those of another build, and process what the former have handed over. The
    runtime must be stopped."""
    if path.hops:
        path.hops.open()  # one may have moved since
    exchange_programs(lambda: swap(entries(path, runtime.interfaces), links, before.programs.values()), runtime)
    runtime.change_handovers(path.manifest.hash, made.annotations)


def swap(pairs: Sequence[tuple[Device, Program]], links: Mapping[str, Attachment], ran: Iterable[Program]) -> None:
    """Swap the programs for good."""
    with swapped(pairs, links, ran):
        pass


@contextmanager
def swapped(pairs: Sequence[tuple[Device, Program]], links: Mapping[str, Attachment], ran: Iterable[Program]) -> Iterator[None]:
    """Swap the programs of devices with attachments, and swap them back if one can't be swapped or the context raises. `ran` are the
    programs that may be attached now: opening them by id would take CAP_SYS_ADMIN."""
    with ExitStack() as back:
        with explained("the programs can't be swapped"):
            before = {program.info().id: program for program in ran}
            for device, program in (pair for pair in pairs if pair[0].name in links):
                link = links[device.name]
                now = before.get(link.info().prog_id)
                link.update(program)
                if now is not None:
                    back.callback(link.update, now)
        yield
        back.pop_all()


def _shared(new: Runtime, old: Runtime) -> dict[str, str]:
    """Devices of both routers with sockets that can still be used: the new configuration's names, with the old one's."""
    usable = (device for device in old.interfaces if old.sockets.get(device.configured) and not has_left(old, device))
    before = {device.ifindex: device.configured for device in usable}
    return {device.configured: before[device.ifindex] for device in new.interfaces if device.ifindex in before and not device.outbound}


def wait_for_programs() -> None:
    """Wait until all programs that are running now have ended."""
    number = _MEMBARRIER.get(platform.machine())
    if number is None or ctypes.CDLL(None).syscall(number, _GLOBAL, 0, 0):
        time.sleep(GRACE)

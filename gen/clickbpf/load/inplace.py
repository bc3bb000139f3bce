"""Routers on devices in this process, one in the place of the other, without losing packets. Nothing is pinned.

The new kernel path is loaded and the new runtime made while the old ones run. When both runtimes stand still, the devices'
attachments swap their programs, the old runtime works off what the old programs have sent to its sockets, and the new one
takes these sockets over.
"""

from __future__ import annotations

import ctypes
import platform
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from clickbpf.compile import Compilation
from clickbpf.load.attach import attach_all, entries
from clickbpf.load.causes import explained
from clickbpf.load.devices import Device
from clickbpf.load.diagnose import check_free, check_privileges
from clickbpf.load.hosting import add_device, runtime_on, show_sockets
from clickbpf.load.kernel import KernelPath
from clickbpf.load.links import Link
from clickbpf.load.loader import Done, Request, entered, furnished, kernel_path, mode_to_try, surroundings
from clickbpf.load.undo import Undo, uninterrupted
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.swap import take_over

#: membarrier(2), which no library wraps, by machine; and its command that waits for all that runs in the kernel now.
_MEMBARRIER = {"x86_64": 324, "aarch64": 283, "riscv64": 283}
_GLOBAL = 1
#: Seconds to wait where there is no membarrier.
_GRACE = 0.02


@dataclass
class Running:
    """One router: what was loaded and made for it, and `undo`, which takes all of that away but the attachments."""

    request: Request
    path: KernelPath
    runtime: Runtime
    undo: ExitStack
    done: Done = Done()


class Attached:
    """The router that runs on devices now. `request_of` makes the request for a compiled router."""

    def __init__(self, request_of: Callable[[Compilation], Request], threads: int):
        self._request_of, self._threads = request_of, threads
        self._links: dict[str, Link] = {}
        self._now: Running | None = None
        #: What is undone in the end: attachments, and what was done to devices for any of the routers.
        self._attachments, self._past = ExitStack(), ExitStack()

    def __enter__(self) -> Attached:
        return self

    def __exit__(self, *exception) -> None:
        with uninterrupted():
            self._attachments.close()
            if self._now is not None:
                self._now.undo.close()
            self._past.close()

    def run(self, made: Compilation) -> Runtime:
        """Load, start and attach the first router."""
        check_privileges()
        request = self._request_of(made)
        check_free(entered(request))
        with Undo() as undo:
            new = self._prepare(made, request, undo)
            new.runtime.initialise()
            new.runtime.start()
            self._now = new
            mode = attach_all(
                entries(new.path, new.request.devices), mode_to_try(request), self._attachments, None, request.say, self._links
            )
            new.done = surroundings(new.request, undo, None, Done(mode))
            new.undo = undo.pop_all()
        return new.runtime

    def replace(self, made: Compilation) -> Runtime:
        """Another router takes the place of the one that runs, which goes on if anything fails. The old one's runtime is
        retired, and is the caller's to close."""
        old, request = self._now, self._request_of(made)
        with Undo() as undo:
            new = self._prepare(made, request, undo, old)
            new.runtime.initialise()
            shared = self._shared(new, old)
            take_over(new.runtime, old.runtime, shared, lambda: self._redirect(new, old, undo))
            new.runtime.start()
            new.done = surroundings(new.request, undo, None, old.done)
            new.undo = undo.pop_all()
        self._now = new
        self._forget(old, new)
        return new.runtime

    def _prepare(self, made: Compilation, request: Request, undo: ExitStack, old: Running | None = None) -> Running:
        """Load the kernel path and make the runtime; devices that the old router has sockets on keep them."""
        request = furnished(request, undo, kept=old.request.made if old else ())
        path = undo.enter_context(kernel_path(request))
        runtime = runtime_on(made, path, self._threads, old.runtime if old else None)
        undo.callback(runtime.close)
        new = Running(request, path, runtime, undo)
        shared = self._shared(new, old) if old else {}
        for index, device in enumerate(request.devices):
            if device.configured in shared:
                show_sockets(path, index, old.runtime.sockets.get(shared[device.configured], ()))
            else:
                add_device(runtime, path, index, device)
        return new

    @staticmethod
    def _shared(new: Running, old: Running) -> dict[str, str]:
        """Devices of both, by their names in the two configurations."""
        before = {device.ifindex: device.configured for device in old.request.devices}
        return {device.configured: before[device.ifindex] for device in new.request.devices if device.ifindex in before}

    def _redirect(self, new: Running, old: Running, undo: ExitStack) -> None:
        """Swap the programs; devices that had none are attached. What the old programs still do is over then."""
        fresh: list[tuple[Device, object]] = []
        with explained("the programs can't be swapped"), ExitStack() as back:
            programs = {device.name: program for device, program in entries(old.path, old.request.devices)}
            for device, program in entries(new.path, new.request.devices):
                link = self._links.get(device.name)
                if link is None:
                    fresh.append((device, program))
                    continue
                link.update(program)
                back.callback(link.update, programs[device.name])
            if fresh:
                mode = old.done.mode or mode_to_try(new.request)
                attach_all(fresh, mode, self._attachments, None, new.request.say, self._links)
            back.pop_all()
        for name in programs.keys() - {device.name for device, _ in entries(new.path, new.request.devices)}:
            self._links.pop(name).detach()
        wait_for_programs()

    def _forget(self, old: Running, new: Running) -> None:
        """Take away what only the old router needed. Its runtime is closed later, by whom it belongs to."""
        self._past.push(old.undo)
        kept = {pair.name for pair in new.request.made}
        for pair in old.request.made:
            if pair.name not in kept:
                pair.remove()
        old.path.close()


def wait_for_programs() -> None:
    """Return when no program runs any more that ran at the beginning."""
    number = _MEMBARRIER.get(platform.machine())
    if number is None or ctypes.CDLL(None).syscall(number, _GLOBAL, 0, 0):
        time.sleep(_GRACE)

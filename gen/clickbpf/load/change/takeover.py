"""A loaded router's runtime changes to another router, within its process, so that sockets and packets stay.

The command that replaces the router (replace.py) loads and pins the other router's kernel path, fills its folder, and then asks
the process, by a command of its control socket, to change. The command doesn't name the folder: a service only ever changes to
the router in the folder beside its own.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from clickbpf import private
from clickbpf.compile import Compilation, take_carried
from clickbpf.errors import ClickError
from clickbpf.load.change.counting import Counting
from clickbpf.load.change.exchange import Hosted, exchange, prepare, swapped, wait_for_programs
from clickbpf.load.change.instrumented import Instrumented
from clickbpf.load.change.renew import Renamed, beside, change_for_good
from clickbpf.load.change.tracing import TraceRequest, Tracing
from clickbpf.load.devices.devices import Device, resolve
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.files import places
from clickbpf.load.files.libraries import libraries
from clickbpf.load.files.places import NEW, OLD, Pins, RunFolder
from clickbpf.load.files.record import record
from clickbpf.load.path.attach import Attachment, all_links_of, entries, links_of
from clickbpf.load.path.crossing import AF_XDP, cross, cross_again
from clickbpf.load.path.hosting import hide_sockets
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.objects.manifest import Manifest
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.failures import HandlerError
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.memory import DROPS, drop_counts
from clickbpf.runtime.swap import has_outliving, succeed

#: Commands: change to the new router of the process's name; continue the drop counts of the router before it.
TAKEOVER, DROPS_BEFORE = "TAKEOVER", "DROPSBEFORE"
#: Traces until their numbers repeat themselves: 7 bits without 0 (bpf/traced_event.h).
MOST_TRACES = 127

#: Returns the next portion of a report, None at its end.
Report = Callable[[], "bytes | None"]


def ask(control: Path, command: str) -> None:
    """Send a command to the process that listens at a control socket. ClickError if it fails."""
    with ControlClient(control) as client:
        try:
            client.call(command)
        except HandlerError as error:
            raise ClickError(error.message) from None


def _manifest(folder: RunFolder) -> Manifest:
    return Manifest.from_object(folder.object.read_bytes(), str(folder.object))


class Service:
    """The router of the process. `root` is the bpffs, `folder` that of the router, whichever it is."""

    def __init__(self, root: Path, folder: RunFolder):
        self._root, self._folder = root, folder
        self._now: Hosted | None = None
        #: Held while another router, or another build of the same one, takes the place of this one.
        self._changing = threading.Lock()
        self._build: Instrumented | None = None
        self._traces = 0

    def run(self, keep: bool) -> Runtime:
        """Run the first router. With `keep`, state in the kernel stays as it is: an earlier runtime has filled it."""
        with ExitStack() as undo:
            new = self._prepare(self._folder, undo)
            self._cross(new, self._folder, cross)
            new.runtime.initialise(new.path.states(new.made.checked.instances, copy=True) if keep else {})
            if not keep:
                self._succeed(new.runtime)
            if keep:  # devices may still have the programs of a trace that was not ended
                self._swap(new, new)
            new.runtime.start()
            undo.pop_all()
        self._now = new
        return new.runtime

    def replace(self) -> Runtime:
        """The new router of this name takes the place of the running one, which goes on if that fails."""
        with self._changing:
            self._end_build()
            return self._replace(self._now)

    def _replace(self, old: Hosted) -> Runtime:
        with ExitStack() as undo:
            new = self._prepare(self._folder.beside(NEW), undo, old)
            exchange(new, old, lambda: self._swap(new, old))
            undo.pop_all()
        self._now = new
        self._cross(new, self._folder.beside(NEW), cross_again)
        old.path.close()
        return new.runtime

    def _cross(self, new: Hosted, folder: RunFolder, change: Callable[[Runtime, Sequence[Device], str], dict[str, str]]) -> None:
        """Have the router of a folder send by its devices as it was loaded to, and say how it does."""
        ways = change(new.runtime, new.devices, record(folder).get("crossing", AF_XDP))
        private.write(self._folder.crossings, json.dumps(ways).encode())

    def _succeed(self, new: Runtime) -> None:
        """Let the first router go on from what outlives the runtime of the router that it replaces, which has ended."""
        folder = self._folder.beside(OLD)
        if not folder.exists() or not any(map(has_outliving, new.instances.values())):
            return
        manifest, done = _manifest(folder), record(folder)
        take_carried(folder.carried)
        elements = Compilation.reopened(manifest, done["library"], done["devices"]).checked.instances
        with KernelPath.pinned(manifest, self._pins(self._folder.root.name + OLD)) as path:
            succeed(new, [elements[name].running(views) for name, views in path.outliving(elements).items()])

    def adopt_drops(self) -> None:
        """Continue the drop counts of the router before this one, which ran in another process and has left all devices."""
        manifest = _manifest(self._folder.beside(OLD))
        with KernelPath.pinned(manifest, self._pins(self._folder.root.name + OLD)) as path:
            counts = path.view(manifest.of_role("drops")[0], DROPS)
        slots = len(counts) // max(1, len(manifest.elements))
        with self._now.runtime.locked():
            self._now.runtime.add_drops({each.name: drop_counts(counts, each.index, slots) for each in manifest.elements})

    def traced(self, request: str) -> AbstractContextManager[Report]:
        """Traces packets within this context: gives a function that returns portions of events, None at the end. ClickError if that
        is impossible."""
        wanted = TraceRequest.from_text(request)
        self._traces = number = self._traces % MOST_TRACES + 1
        return self._instrumented(lambda now: Tracing(now, self._attachments, wanted, number))

    def counted(self, _request: str) -> AbstractContextManager[Report]:
        """Counts, likewise, which ways packets take: the portions are profiles."""
        return self._instrumented(lambda now: Counting(now, self._attachments))

    @contextmanager
    def _instrumented(self, make: Callable[[Hosted], Instrumented]) -> Iterator[Report]:
        while not self._begin(build := make(self._now)):
            continue

        def read() -> bytes | None:
            with self._changing:
                return build.read() if self._build is build else None

        try:
            yield read
        finally:
            with self._changing:
                if self._build is build:
                    self._end_build()

    def _begin(self, build: Instrumented) -> bool:
        """False if the build is of a router that has been changed or replaced while it was being made."""
        with self._changing:
            if self._build is not None:
                raise ClickError(f"the router is being {self._build.done} already", hint="one trace or profile at a time")
            if build.hosted is not self._now or not build.begin():
                return False
            self._build = build
        return True

    def end_reports(self) -> None:
        """End traces and profiles."""
        with self._changing:
            self._end_build()

    def _end_build(self) -> None:
        if self._build is not None:
            self._build.end()
        self._build = None

    def leave_to_kernel(self) -> None:
        """The run is over: packets that the kernel path would hand over, and those in the sockets, are dropped and counted."""
        now = self._now
        for index, device in enumerate(now.devices):
            hide_sockets(now.path, index, now.runtime.sockets.get(device.configured, ()))
        wait_for_programs()
        now.runtime.refuse_waiting()

    def close(self) -> None:
        if self._now is not None:
            self._now.runtime.close()
            self._now.path.close()

    def _prepare(self, folder: RunFolder, undo: ExitStack, old: Hosted | None = None) -> Hosted:
        """A folder's router on its kernel path."""
        manifest = _manifest(folder)
        take_carried(folder.carried)
        done = record(folder)
        made = Compilation.reopened(manifest, libraries(done), done["devices"])
        devices = resolve(manifest.devices, mapping=done["devices"])
        path = undo.enter_context(KernelPath.pinned(manifest, self._pins(folder.root.name)))
        new = prepare(made, path, devices, done["threads"], undo, old)
        new.runtime.kernel, new.runtime.unattended = self._renewed, True
        return new

    @contextmanager
    def _renewed(self, changed: Compilation) -> Iterator[Callable[[], None]]:
        """The function that changes to a kernel path with other arguments (Runtime.kernel). Pins and folder then have the new
        programs and configuration."""
        hosted, pins = self._now, self._pins(self._folder.root.name)
        with beside(hosted, changed) as (made, path), ExitStack() as opened:
            links = all_links_of(hosted.path, pins, self._filters(), hosted.devices, opened)
            kept = opened.enter_context(Renamed(self._folder, pins, made, path, hosted.path))

            def change_and_rename() -> None:
                change_for_good(hosted, made, path, links)
                kept.rename()

            yield change_and_rename

    def _filters(self) -> list[TcFilter]:
        return [TcFilter(**classifier) for classifier in record(self._folder)["filters"]]

    def _pins(self, name: str) -> Pins:
        plain, plus, suffix = name.partition("+")
        return Pins(self._root / places.FOLDER / (places.encode(plain) + plus + suffix))

    @contextmanager
    def _attachments(self) -> Iterator[Mapping[str, Attachment]]:
        """The attachments of the running router's devices. ClickError if one is missing."""
        with ExitStack() as opened:
            yield all_links_of(self._now.path, self._pins(self._folder.root.name), self._filters(), self._now.devices, opened)

    def _swap(self, new: Hosted, old: Hosted) -> None:
        """Swap the programs of the existing attachments; the command attaches to the other devices."""
        with ExitStack() as opened:
            links = links_of(self._pins(self._folder.root.name), self._filters(), new.devices, opened)
            pairs = [(device, program) for device, program in entries(new.path, new.devices) if device.name in links]
            with swapped(pairs, links, old.path.programs.values()):
                pass

"""The process of a loaded router, which can change to another router so that sockets and packets stay.

The command that replaces the router (replace.py) loads and pins the other router's kernel path, fills its folder, and then sends
the process a command through its control socket. This command names no folder: a service only changes to the router in the folder beside
its own.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import product
from pathlib import Path

from clickbpf import private
from clickbpf.cache import take_from
from clickbpf.compile import Compilation
from clickbpf.crossings import AF_XDP
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.change.exchange import exchange, exchange_path, other_programs, prepare, swap, wait_for_programs
from clickbpf.load.change.outliving import outliving
from clickbpf.load.change.renew import Renamed
from clickbpf.load.change.tracing import COUNT, TRACE, Counting, Instrumented, TraceRequest, Tracing
from clickbpf.load.devices.devices import Device, resolve
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.record import record
from clickbpf.load.devices.spread import Spread
from clickbpf.load.files import places, states
from clickbpf.load.files.places import NEW, OLD, Pins, RunFolder
from clickbpf.load.path.attach import Attachment, all_links_of, entries, idle_all, links_of
from clickbpf.load.path.compilation import reopened
from clickbpf.load.path.crossing import choose, cross, cross_again
from clickbpf.load.path.hosting import hide_sockets
from clickbpf.load.path.kernelpath import KernelPath
from clickbpf.load.path.watching import Watching
from clickbpf.messages import show
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.control import Serving
from clickbpf.runtime.failures import HandlerError
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.listening import ControlServer
from clickbpf.runtime.memory import DROPS, drop_counts
from clickbpf.runtime.swap import has_outliving, succeed

#: Commands of the control socket: change to the new router of the same name; continue the drop counts of the previous router; record now
#: how the devices send, and which have left.
TAKEOVER, DROPS_BEFORE, LOOK = "TAKEOVER", "DROPSBEFORE", "LOOK"
#: The number of traces after which their numbers repeat: 7 bits without 0 (bpf/traced_event.h).
MOST_TRACES = 127

#: A function that returns the next portion of a report, None at the end.
Report = Callable[[], "bytes | None"]


def ask(control: Path, command: str) -> None:
    """Send a command to the process that listens at a control socket. ClickError if the command fails."""
    with ControlClient(control) as client:
        try:
            client.call(command)
        except HandlerError as error:
            raise ClickError(error.message) from None


class Service(Watching):
    """The session of a service's process: it answers at the control socket, and writes the router's state, and whether its code is
    optimised, into the router's folder. `root` is the bpffs, `folder` the folder of the present router."""

    cure = "'clickbpf load --resume' with its arguments attaches it"

    def __init__(self, root: Path, folder: RunFolder):
        super().__init__()
        self._root, self._folder = root, folder
        self._ending = ExitStack()
        self._trace: Instrumented | None = None
        self._traces = 0
        self._crossing = AF_XDP
        #: What was written into files of the router's folder, each time with the number of the router that it is about (Session.begun).
        self._written: dict[Path, tuple[int, str]] = {}

    def run(self, keep: bool) -> None:
        """Run the first router, and open the control socket. With `keep`, state in the kernel stays as an earlier runtime has left it."""
        with ExitStack() as undo:
            new = self._prepare(self._folder, undo)
            self._cross(new, self._folder, cross)
            new.initialise(new.path.states(new.checked.instances, copy=True) if keep else {})
            if not keep:
                self._succeed(new)
            if keep:  # devices may still have the programs of a trace that the earlier runtime didn't end
                self._swap(new, new)
            new.start()
            undo.pop_all()
        self.begin(new)
        commands = {TAKEOVER: self._change_to_new, DROPS_BEFORE: self._adopt_drops, LOOK: self._look_now}
        self._answers = Serving(new.handlers, commands=commands, streams={TRACE: self._traced, COUNT: self._counted})
        self._ending.callback(ControlServer.unix(self._folder.control, self._answers).close)
        self._report(states.RUNNING)

    def _change_to_new(self) -> None:
        """Change to the new router of this name; if that fails, the running one goes on. The control socket stays."""
        self.change(self._take_over)

    def _take_over(self) -> Runtime:
        self._end_trace()
        old = self.runtime
        with ExitStack() as undo:
            folder = self._folder.beside(NEW)
            new = self._prepare(folder, undo, old)
            exchange(new, old, lambda: self._swap(new, old, folder))
            undo.pop_all()
        self.begin(new)
        self._answers.handlers = new.handlers
        self._cross(new, self._folder.beside(NEW), cross_again)
        old.path.close()
        return new

    def _cross(self, new: Runtime, folder: RunFolder, change: Callable[[Runtime, Sequence[Device], str], dict[str, str]]) -> None:
        """Have a folder's router send by its devices as the user has chosen, and record how each one sends."""
        self._crossing = record(folder).crossing
        self._report_crossings(change(new, new.interfaces, self._crossing))

    def _look_now(self) -> None:
        with self.swapping:
            self._look()

    def _choose_crossings(self) -> None:
        self._report_crossings(choose(self.runtime, self.runtime.interfaces, self._crossing))

    def _report_crossings(self, crossings: Mapping[str, str]) -> None:
        self._publish(self._folder.crossings, json.dumps(crossings))

    def _succeed(self, new: Runtime) -> None:
        """Give the first router the state that outlives runtimes of the router that it replaces, whose runtime has ended."""
        folder = self._folder.beside(OLD)
        if folder.exists() and any(map(has_outliving, new.instances.values())):
            with outliving(folder, self._pins(self._folder.root.name + OLD)) as before:
                succeed(new.instances, before.values())

    def _adopt_drops(self) -> None:
        """Add the drop counts of the previous router, which ran in another process and is detached from all devices."""
        manifest = self._folder.beside(OLD).manifest()
        with KernelPath.pinned(manifest, self._pins(self._folder.root.name + OLD)) as path:
            counts = path.view(manifest.of_role("drops")[0], DROPS)
        slots = len(counts) // max(1, len(manifest.elements))
        with self.runtime.locked():
            self.runtime.add_drops({each.name: drop_counts(counts, each.index, slots) for each in manifest.elements})

    def _traced(self, request: str) -> AbstractContextManager[Report]:
        """Trace packets; the portions have events."""
        wanted = TraceRequest.from_text(request)
        self._traces = number = self._traces % MOST_TRACES + 1
        return self._instrumented(lambda: Tracing(self.runtime, self._attachments, wanted, number))

    def _counted(self, _: str) -> AbstractContextManager[Report]:
        """Count packets at all outputs; the portions have the counts so far."""
        return self._instrumented(lambda: Counting(self.runtime, self._attachments))

    @contextmanager
    def _instrumented(self, made: Callable[[], Instrumented]) -> Iterator[Report]:
        """Run an instrumented build within this context; yields the function that returns its portions. ClickError if that is
        impossible."""
        while not self._begin(build := made()):
            continue

        def read() -> bytes | None:
            with self.swapping:
                return build.read() if self._trace is build else None

        try:
            yield read
        finally:
            with self.swapping:
                if self._trace is build:
                    self._end_trace()

    def _begin(self, build: Instrumented) -> bool:
        """Begin a trace or counts; False if the router was changed or replaced while the programs were compiled. Counts give way."""
        with self.swapping:
            if isinstance(self._trace, Counting) and not isinstance(build, Counting):
                self._end_trace()
            if self._trace is not None:
                raise ClickError("the router is being traced already", hint="one trace at a time")
            if build.runtime is not self.runtime or not build.begin():
                return False
            self._trace = build
        return True

    def _end_trace(self) -> None:
        if self._trace is not None:
            self._trace.end()
        self._trace = None

    def wait(self, seconds: float) -> bool:
        """Wait as any session does; then record the router's state. A router that has stopped receives no more handovers, unless another
        one has replaced it already."""
        begun = self.begun
        stopped = super().wait(seconds)
        now = states.STOPPED if stopped else states.RUNNING
        with self.swapping:
            if self.begun != begun:
                return False
            if stopped and not self._is_published(self._folder.state, now):
                self._leave_to_kernel()
            self._report(now)
            if not stopped:
                self._unstick()
        return stopped

    def answers(self) -> None:
        """Return once no thread of the router is inside an element: never, if one hangs there."""
        with self.runtime.locked():
            pass

    def _leave_to_kernel(self) -> None:
        """After the run: drop and count packets in the sockets, and those that the kernel path would hand over."""
        for index, device in enumerate(self.runtime.interfaces):
            hide_sockets(self.runtime.path, index, self.runtime.sockets.get(device.configured, ()))
        wait_for_programs()
        self.runtime.refuse_waiting()

    def _unstick(self) -> None:
        """Revive sockets that refuse handovers although they are empty, and log it."""
        if sockets := self.runtime.unstick():
            lost = f"packets for the runtime were dropped (OVERRUN) while {sockets} of its sockets were empty: they receive packets again"
            show([Diagnostic(None, lost, severity="warning")])

    def _report(self, now: str) -> None:
        """Report the router's state, also in its log, and how its code was compiled."""
        if self._publish(self._folder.state, now):
            print(now, flush=True)
        self._publish(self._folder.code, states.code_of(self.runtime.is_quick, self.runtime.is_optimising))

    def _publish(self, file: Path, text: str) -> bool:
        """Write a text for other commands into a file of the router's folder, unless that has it already; returns whether it was written.
        It isn't while another router's folder is being renamed to this name: the next check tries again."""
        if self._is_published(file, text):
            return False
        try:
            private.write(file, text.encode())
        except FileNotFoundError:
            return False
        self._written[file] = self.begun, text
        return True

    def _is_published(self, file: Path, text: str) -> bool:
        return self._written.get(file) == (self.begun, text)

    def close(self) -> None:
        self._ending.close()
        with self.swapping:
            self._end_trace()
        super().close()
        if self.runtime is not None:
            self.runtime.path.close()

    def _prepare(self, folder: RunFolder, undo: ExitStack, old: Runtime | None = None) -> Runtime:
        """Prepare a folder's router, on its pinned kernel path."""
        take_from(folder.carried)
        manifest, settings, made = folder.manifest(), record(folder), reopened(folder)
        devices = resolve(manifest.devices, mapping=settings.devices)
        path = undo.enter_context(KernelPath.pinned(manifest, self._pins(folder.root.name)))
        path.lanes = settings.spread
        path.spreads = self._spreads(folder, devices) if path.lanes else {}
        new = prepare(made, path, devices, settings.threads, undo, old)
        new.kernel, new.unattended = self._renewed, True
        new.affinity = settings.affinity
        return new

    def _spreads(self, folder: RunFolder, devices: Sequence[Device]) -> dict[str, Spread]:
        """The queues over which devices' packets are spread: those of a folder's router, or of its predecessors."""
        names = (folder.root.name, self._folder.root.name, self._folder.beside(OLD).root.name)
        found: dict[str, Spread] = {}
        for device, name in product(devices, names):
            if device.name not in found and (pins := self._pins(name).spread(device.name)).is_dir():
                found[device.name] = Spread.pinned(pins)
        return found

    @contextmanager
    def _renewed(self, changed: Compilation) -> Iterator[Callable[[], None]]:
        """Yields the function that changes to a kernel path with other arguments (Runtime.kernel), and updates pins and folder."""
        now, pins = self.runtime, self._pins(self._folder.root.name)
        with other_programs(now, changed) as (made, path), ExitStack() as opened:
            links = all_links_of(now.path, pins, self._filters(), now.interfaces, opened)
            kept = opened.enter_context(Renamed(self._folder, pins, made, path, now.path))

            def change_and_rename() -> None:
                exchange_path(now, made, path, links, now.path)
                now.path.become(path)
                kept.rename()

            yield change_and_rename

    def _filters(self, folder: RunFolder | None = None) -> Sequence[TcFilter]:
        return record(folder or self._folder).filters

    def _pins(self, name: str) -> Pins:
        plain, plus, suffix = name.partition("+")
        return Pins(self._root / places.FOLDER / (places.encode(plain) + plus + suffix))

    @contextmanager
    def _attachments(self) -> Iterator[Mapping[str, Attachment]]:
        """The attachments of the running router's devices. ClickError if one is missing."""
        with ExitStack() as opened:
            yield all_links_of(self.runtime.path, self._pins(self._folder.root.name), self._filters(), self.runtime.interfaces, opened)

    def _swap(self, new: Runtime, old: Runtime, *beside: RunFolder) -> None:
        """Swap the programs of the router's attachments, and of those that the command has made for a router `beside`. Devices that the new
        router doesn't use let packets pass until the command detaches from them."""
        with ExitStack() as opened:
            links: dict[str, Attachment] = {}
            for folder in (*beside, self._folder):
                links |= links_of(self._pins(folder.root.name), self._filters(folder), (*new.interfaces, *old.interfaces), opened)
            pairs = entries(new.path, new.interfaces)
            names = {device.name for device, _ in pairs}
            gone = [pair for pair in entries(old.path, old.interfaces) if pair[0].name not in names]
            pairs += opened.enter_context(idle_all(old.path, gone))
            swap(pairs, links, old.path.programs.values())

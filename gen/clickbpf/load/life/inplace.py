"""Routers on devices that run in this process, as `run` has them: one replaces another (exchange.py), and nothing is pinned."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Self

from clickbpf.compile import Compilation
from clickbpf.interrupts import uninterrupted
from clickbpf.load.change.exchange import exchange, exchange_path, other_programs, prepare, swapped
from clickbpf.load.devices.devices import Device
from clickbpf.load.devices.diagnose import check_privileges
from clickbpf.load.devices.links import TcFilter
from clickbpf.load.devices.record import Done
from clickbpf.load.devices.spread import Spread
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.loader import Request, attach, furnished, kernel_path, mode_to_try, readied, spread_over, surroundings
from clickbpf.load.life.undo import Undo
from clickbpf.load.path.attach import Attachment, attach_all, entries
from clickbpf.load.path.crossing import choose, cross, cross_again
from clickbpf.load.path.watching import Watching
from clickbpf.runtime.host import Runtime
from clickbpf.runtime.session import Replace


class Attached(Watching):
    """A session with devices. `request_of` makes the request for a compiled router, `start` starts the first router's runtime."""

    cure = "end it, and run it again"

    def __init__(
        self,
        request_of: Callable[[Compilation], Request],
        threads: int,
        start: Callable[[Runtime], None] = Runtime.start,
        replace: Replace | None = None,
    ):
        super().__init__(replace=replace)
        self._request_of, self._threads, self._start = request_of, threads, start
        self._links: dict[str, Attachment] = {}
        #: The running router's request, its own descriptors, and the changes to devices for it or its predecessors.
        self._request: Request | None = None
        self._held, self._done = ExitStack(), Done()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception) -> None:
        self.end()
        with uninterrupted(), ExitStack() as steps:
            for link in self._links.values():
                if isinstance(link, TcFilter):  # detached last, since it may remove the qdisc that the others use
                    steps.callback(_leave, link)
            if self.runtime is not None:
                self._put_back(steps)
                steps.enter_context(self._held)
                steps.callback(self.runtime.close)
            for link in self._links.values():
                if not isinstance(link, TcFilter):
                    steps.callback(_leave, link)

    def _put_back(self, steps: ExitStack) -> None:
        """Register the steps that undo all changes to devices; devices that the router created are removed last."""
        for pair in self._request.made:
            steps.callback(pair.remove)
        for change in self._done.changes:
            steps.callback(change.undo)
        for classifier in self._done.filters:
            steps.callback(_detach, classifier)

    def run(self, made: Compilation) -> Runtime:
        """Load, start and attach the first router. Its control sockets answer once it is attached."""
        check_privileges()
        with Undo() as undo:
            request, runtime, held = self._prepare(made, undo)
            with runtime.handlers.unanswered():
                runtime.initialise()
                ready = readied(request, undo, Done(mode_to_try(request)))
                cross(runtime, request.devices, request.crossing)
                self._start(runtime)
                done = attach(request, runtime.path, undo, held, ready, self._links)
                beside = tuple(each for each in done.filters if not each.path)  # the others are attachments
                self._request, self._held, self._done = request, held, replace(done, filters=beside)
                self.begin(runtime)
            undo.pop_all()
        return runtime

    def replace(self, made: Compilation) -> Runtime:
        """Replace the running router, which goes on if anything fails. The old runtime is retired; the caller has to close it."""
        with Undo() as undo:
            request, new, held = self._prepare(made, undo)
            done = surroundings(request, new.path, undo, held, readied(request, undo, self._done))
            exchange(new, self.runtime, lambda: self._swap(new, request, done, undo))
            undo.pop_all()
        old, of_old = self._request, self._held
        self._request, self._held, self._done = request, held, done
        self.begin(new)
        with uninterrupted():
            cross_again(new, request.devices, request.crossing)
            of_old.close()
            kept = {pair.name for pair in request.made}
            for pair in old.made:
                if pair.name not in kept:
                    pair.remove()
        return new

    def _choose_crossings(self) -> None:
        choose(self.runtime, self._request.devices, self._request.crossing)

    def _prepare(self, made: Compilation, undo: ExitStack) -> tuple[Request, Runtime, ExitStack]:
        """Load the kernel path of a router, and create its runtime."""
        request = replace(self._request_of(made), taken=frozenset(self._links))
        request = furnished(request, undo, kept=self._request.made if self._request else ())
        held = undo.enter_context(ExitStack())
        path = held.enter_context(kernel_path(request))
        spread_over(request, path, None, {name: link for name, link in self._links.items() if isinstance(link, Spread)})
        runtime = prepare(made, path, request.devices, self._threads, undo, self.runtime)
        runtime.kernel = self._renewed
        return request, runtime, held

    @contextmanager
    def _renewed(self, changed: Compilation) -> Iterator[Callable[[], None]]:
        """Yields the function that changes to the kernel path of this router with other arguments (Runtime.kernel)."""
        now = self.runtime
        with other_programs(now, changed) as (made, path):

            def change() -> None:
                exchange_path(now, made, path, self._links, now.path)
                now.path.become(path)

            yield change

    def _swap(self, new: Runtime, request: Request, done: Done, undo: ExitStack) -> None:
        """Swap programs, attach to devices that had none, and detach from devices that the new router doesn't use."""
        pairs = entries(new.path, request.devices)
        kept = [(device, program) for device, program in pairs if _is_on(self._links.get(device.name), device)]
        fresh = [pair for pair in pairs if pair not in kept]
        links: dict[str, Attachment] = {}
        with swapped(kept, self._links, self.runtime.path.programs.values()):
            attach_all(fresh, done.mode, undo, None, request.say, links, spreads=new.path.spreads)
        gone = [self._links[name] for name in self._links.keys() - {device.name for device, _ in kept}]
        self._links = {device.name: self._links[device.name] for device, _ in kept} | links
        filters = [each for each in (*self._links.values(), *done.filters) if isinstance(each, TcFilter)]
        for attachment in gone:
            _leave(attachment)
            if isinstance(attachment, TcFilter):
                attachment.bequeath(filters)


def _is_on(attachment: Attachment | None, device: Device) -> bool:
    """Whether a program is attached to this device, and not to an earlier one of its name."""
    with suppress(BpfError):  # a classifier that is gone
        return attachment is not None and attachment.info().ifindex == device.ifindex
    return False


def _leave(attachment: Attachment) -> None:
    """Detach a program at once."""
    with suppress(BpfError):  # its device is gone
        attachment.detach()
    if not isinstance(attachment, TcFilter):
        attachment.close()


def _detach(classifier: TcFilter) -> None:
    with suppress(BpfError):  # its device is gone
        classifier.detach()

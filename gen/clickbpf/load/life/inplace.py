"""Routers on devices in this process, one in the place of the other (exchange.py). Nothing is pinned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace

from clickbpf.compile import Compilation
from clickbpf.frozen import frozen
from clickbpf.load.change.exchange import Hosted, exchange, prepare, swapped
from clickbpf.load.change.renew import beside, change_for_good
from clickbpf.load.devices.diagnose import check_free, check_privileges
from clickbpf.load.devices.links import Link, TcFilter
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.loader import Done, Request, entered, furnished, kernel_path, mode_to_try, readied, surroundings
from clickbpf.load.life.undo import Undo, uninterrupted
from clickbpf.load.path.attach import Attachment, attach_all, entries
from clickbpf.load.path.crossing import cross, cross_again
from clickbpf.runtime.host import Runtime


@frozen
class Running:
    """One router. `held` are descriptors of its own; `done` records what was done to devices for it or for those before it."""

    request: Request
    hosted: Hosted
    held: ExitStack
    done: Done

    def put_back(self, steps: ExitStack) -> None:
        """Queue up the steps that undo all changes to devices; devices that the router has made are removed last."""
        for pair in self.request.made:
            steps.callback(pair.remove)
        for change in self.done.changes:
            steps.callback(change.undo)
        for classifier in self.done.filters:
            steps.callback(_detach, classifier)


class Attached:
    """The router that runs on devices now. `request_of` makes the request for a compiled router, `start` starts the first
    router's runtime."""

    def __init__(
        self, request_of: Callable[[Compilation], Request], threads: int, start: Callable[[Runtime], None] = Runtime.start
    ):
        self._request_of, self._threads, self._start = request_of, threads, start
        self._links: dict[str, Attachment] = {}
        self._now: Running | None = None

    @property
    def runs(self) -> bool:
        """Whether a router runs already."""
        return self._now is not None

    def __enter__(self) -> Attached:
        return self

    def __exit__(self, *exception) -> None:
        with uninterrupted(), ExitStack() as steps:
            for link in self._links.values():
                if isinstance(link, TcFilter):  # the qdisc may have been made for it: after what else is there
                    steps.callback(_leave, link)
            if self._now is not None:
                self._now.put_back(steps)
                steps.enter_context(self._now.held)
                steps.callback(self._now.hosted.runtime.close)
            for link in self._links.values():
                if isinstance(link, Link):
                    steps.callback(_leave, link)

    def run(self, made: Compilation) -> Runtime:
        """Load, start and attach the first router. Its control sockets answer once it is attached."""
        check_privileges()
        request = self._request_of(made)
        check_free(entered(request), request.manifest.hook)
        with Undo() as undo:
            request, hosted, held = self._prepare(made, request, undo)
            with hosted.runtime.handlers.unanswered():
                hosted.runtime.initialise()
                ready = readied(request, undo, Done(mode_to_try(request)))
                cross(hosted.runtime, request.devices, request.crossing)
                self._start(hosted.runtime)
                pairs = entries(hosted.path, request.devices)
                mode = attach_all(pairs, ready.mode, undo, None, request.say, self._links).mode
                self._now = Running(request, hosted, held, surroundings(request, hosted.path, undo, held, replace(ready, mode=mode)))
            undo.pop_all()
        return hosted.runtime

    def replace(self, made: Compilation) -> Runtime:
        """Another router takes the place of the running one, which goes on if anything fails. The old runtime is retired; the
        caller has to close it."""
        old, request = self._now, self._request_of(made)
        with Undo() as undo:
            request, hosted, held = self._prepare(made, request, undo, old)
            new = Running(request, hosted, held, surroundings(request, hosted.path, undo, held, readied(request, undo, old.done)))
            exchange(hosted, old.hosted, lambda: self._swap(new, old, undo))
            undo.pop_all()
        self._now = new
        with uninterrupted():
            cross_again(hosted.runtime, request.devices, request.crossing)
            _release(old, new)
        return hosted.runtime

    def _prepare(
        self, made: Compilation, request: Request, undo: ExitStack, old: Running | None = None
    ) -> tuple[Request, Hosted, ExitStack]:
        """Load the kernel path, and make the runtime on it."""
        request = furnished(request, undo, kept=old.request.made if old else ())
        held = undo.enter_context(ExitStack())
        path = held.enter_context(kernel_path(request))
        hosted = prepare(made, path, request.devices, self._threads, undo, old.hosted if old else None)
        hosted.runtime.kernel = self._renewed
        return request, hosted, held

    @contextmanager
    def _renewed(self, changed: Compilation) -> Iterator[Callable[[], None]]:
        """What changes to the kernel path of this router with other arguments (Runtime.kernel)."""
        hosted = self._now.hosted
        with beside(hosted, changed) as (made, path):
            yield lambda: change_for_good(hosted, made, path, self._links)

    def _swap(self, new: Running, old: Running, undo: ExitStack) -> None:
        """Swap the programs, attach to devices that had none, and detach from those that need none now."""
        pairs = entries(new.hosted.path, new.request.devices)
        kept = [(device, program) for device, program in pairs if device.name in self._links]
        fresh = [(device, program) for device, program in pairs if device.name not in self._links]
        links: dict[str, Attachment] = {}
        with swapped(kept, self._links, old.hosted.path.programs.values()):
            attach_all(fresh, new.done.mode, undo, None, new.request.say, links)
        gone = [self._links[name] for name in self._links.keys() - {device.name for device, _ in kept}]
        self._links = {device.name: self._links[device.name] for device, _ in kept} | links
        filters = [each for each in (*self._links.values(), *new.done.filters) if isinstance(each, TcFilter)]
        for attachment in gone:
            _leave(attachment)
            if isinstance(attachment, TcFilter):
                attachment.bequeath(filters)


def _release(old: Running, new: Running) -> None:
    """Remove what only the old router needed, except its runtime, which its owner closes."""
    old.held.close()
    kept = {pair.name for pair in new.request.made}
    for pair in old.request.made:
        if pair.name not in kept:
            pair.remove()


def _leave(attachment: Attachment) -> None:
    """Take a program off its device now."""
    with suppress(BpfError):  # it went with its device
        attachment.detach()
    if isinstance(attachment, Link):
        attachment.close()


def _detach(classifier: TcFilter) -> None:
    with suppress(BpfError):  # it went with its device
        classifier.detach()

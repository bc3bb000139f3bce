"""A running router whose kernel path is another build of it for a while: it does the same on the same maps, and reports something.

Pins and folder keep the plain kernel path. If a service ends or dies, the devices keep the instrumented programs until the
router's next runtime attaches the pinned ones again (takeover.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from clickbpf.compile import Compilation
from clickbpf.errors import ClickError
from clickbpf.load.change.exchange import Hosted
from clickbpf.load.change.renew import beside, change_over
from clickbpf.load.path.attach import Attachment
from clickbpf.load.path.kernelpath import KernelPath

#: Opens the attachments of the router's devices.
Links = Callable[[], AbstractContextManager[Mapping[str, Attachment]]]


class Instrumented:
    """The running router with these options of the planner."""

    #: What is done to the router, for messages.
    done: ClassVar[str]

    def __init__(self, hosted: Hosted, links: Links, **options: Any):
        self.hosted, self._links = hosted, links
        self._plain = hosted.runtime.handlers.made
        self._changed = replace(self._plain, options=replace(self._plain.options, **options))
        self._changed.build_bpf()  # slow the first time; then the cache has it
        self._held = ExitStack()

    # -- what a kind of instrumentation defines -----------------------------------------------------------------------

    def read(self) -> bytes:
        """A portion of the report."""
        raise NotImplementedError

    def variables(self) -> Mapping[str, bytes]:
        """`const volatile` values of the build."""
        return {}

    def watch(self, path: KernelPath, undo: ExitStack) -> None:
        """Called while packets stand still, before they meet the build; `undo` is closed when it has left the devices."""

    # -- from outside -------------------------------------------------------------------------------------------------

    def begin(self) -> bool:
        """False if an element has been given other arguments since the build was made, ClickError if it is impossible; then nothing has
        changed."""
        runtime = self.hosted.runtime
        with ExitStack() as undo:
            made, path = undo.enter_context(beside(self.hosted, self._changed, self.variables()))
            with runtime.locked(), ExitStack() as failed:
                if runtime.handlers.made is not self._plain:
                    return False
                self.watch(path, failed)
                self._change(made, path, self.hosted.path)
                undo.push(failed.pop_all())
                undo.callback(setattr, runtime, "kernel", runtime.kernel)
                runtime.kernel = partial(_refused, self.done)
            self._other = path
            self._held = undo.pop_all()
        return True

    def end(self) -> None:
        """The router is as it was before."""
        with self.hosted.runtime.locked():
            with suppress(ClickError):  # an attachment that can't be swapped is gone
                self._change(self._plain, self.hosted.path, self._other)
            self._held.close()

    def _change(self, made: Compilation, path: KernelPath, before: KernelPath) -> None:
        with self._links() as links:
            change_over(self.hosted, made, path, links, before)


@contextmanager
def _refused(done: str, changed: Compilation) -> Iterator[Callable[[], None]]:
    raise ClickError(f"the router is being {done}, and its kernel path can't be given other arguments meanwhile")
    yield

"""A router that runs in this process, and those that take its place while it runs."""

import gc
import math
import threading
import time
from collections.abc import Callable

from clickbpf.args.error import ArgError
from clickbpf.errors import ClickError, Diagnostic, render_as_click
from clickbpf.messages import show
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.rights import Right

#: Seconds after which the devices are looked at again.
LOOK_AFTER = 5
#: Makes a router of a configuration's text and puts it in the place of the running one, which goes on if that raises.
Replace = Callable[[str], Runtime]


class Session:
    """`runtime` is the router that runs now; nothing else keeps it. With `replace` another may take its place, by the write handler
    hotconfig. Routers on devices are in a session that also has what they are attached by: of `run` (load/life/inplace.py), or of a
    service (load/change/takeover.py)."""

    def __init__(self, runtime: Runtime | None = None, replace: Replace | None = None):
        self._replace = replace
        #: Held while another router takes this one's place, or another build of the same one.
        self.swapping = threading.Lock()
        self._retired: list[Runtime] = []
        self._ended = False
        self._look_at = time.monotonic() + LOOK_AFTER
        #: How many routers have run here: says whether another one has taken a router's place, without keeping that one in memory.
        self.begun = 0
        self.begin(runtime)

    def begin(self, runtime: Runtime | None) -> None:
        """This is the router that runs now."""
        self.runtime = runtime
        self.begun += 1
        if runtime is not None:
            self._offer()

    def _offer(self) -> None:
        if self._replace is not None:
            self.runtime.handlers.define("hotconfig", self._write, Right.CONFIGURE)

    def _write(self, text: str) -> None:
        """Another router takes over at once. ArgError, with Click's message, if it can't."""
        try:
            self.change(lambda: self._replace(text))
        except ClickError as error:
            raise ArgError(render_as_click(error.diagnostics).rstrip("\n")) from None

    def change(self, replace: Callable[[], Runtime]) -> None:
        """Let `replace` put another router in the place of this one, which goes on if that raises. ClickError if it has ended."""
        with self.swapping:
            if self._ended:
                raise ClickError("the router has ended")
            old = self.runtime
            self.begin(replace())
            self._retired.append(old)
            del old  # or it would be in memory still when the other thread collects it

    def wait(self, seconds: float) -> bool:
        """Runtime.wait of the running router; ended routers are closed here, in a thread that isn't theirs."""
        over = self.runtime.wait(seconds)
        with self.swapping:
            if self.runtime.path is not None:
                self.runtime.path.follow_clock()
                self._follow_devices()
        self.close_retired()
        return over

    def _follow_devices(self) -> None:
        """Every few seconds, how packets leave is chosen anew, since devices change; until that fails, which is said once."""
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + LOOK_AFTER
        try:
            self._choose_crossings()
        except ClickError as error:
            show(Diagnostic(each.place, each.message, each.hint, severity="warning") for each in error.diagnostics)
            self._look_at = math.inf

    def _choose_crossings(self) -> None:
        """For sessions with devices."""

    def over(self) -> bool:
        """Whether the run is over, without waiting."""
        self.close_retired()
        return self.runtime.ended_itself

    def close_retired(self) -> None:
        """Close the ended routers, and collect them now: runtimes and elements are in reference cycles, which Python would
        collect, with the maps' memory, at some later time."""
        if not self._retired:
            return
        while self._retired:
            self._retired.pop().close()
        gc.collect()

    def end(self) -> None:
        """The last router is about to be closed: none takes its place any more, and a change that has begun is completed first. (Otherwise
        that would go on with descriptors that are closed meanwhile, and are others' by then.)"""
        with self.swapping:
            self._ended = True
        self.close_retired()

    def close(self) -> None:
        self.end()
        if self.runtime is not None:
            self.runtime.close()

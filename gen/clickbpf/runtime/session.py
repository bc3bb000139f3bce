"""The router that runs in this process, and the routers that replace it."""

import gc
import threading
from collections.abc import Callable

from clickbpf.args.error import ArgError
from clickbpf.errors import ClickError, render_as_click
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.rights import Right

#: A function that makes a router from a configuration's text and replaces the running one, which goes on if this raises.
Replace = Callable[[str], Runtime]


class Session:
    """`runtime` is the router that runs now; nothing else holds a reference to it. With `replace`, the write handler hotconfig replaces it.
    Sessions of routers on devices also have their attachments: those of `run` (load/life/inplace.py), and of services
    (load/change/takeover.py)."""

    def __init__(self, runtime: Runtime | None = None, replace: Replace | None = None):
        self._replace = replace
        #: Held while another router, or another build of the same one, replaces this one.
        self.swapping = threading.Lock()
        #: Held, outside `swapping`, by the thread that puts another router here. It comes to need the running router's handlers' lock.
        self._changing = threading.Lock()
        self._retired: list[Runtime] = []
        self._ended = False
        #: The number of routers that have run here. It shows that a router was replaced, without keeping the router in memory.
        self.begun = 0
        self.begin(runtime)

    def begin(self, runtime: Runtime | None) -> None:
        """Make this the router that runs now."""
        self.runtime = runtime
        self.begun += 1
        if runtime is not None:
            self._offer()

    def _offer(self) -> None:
        if self._replace is not None:
            self.runtime.handlers.define("hotconfig", self._write, Right.CONFIGURE)

    def _write(self, text: str) -> None:
        """Replace the router at once (hotconfig). ArgError, with Click's message, if that fails."""
        try:
            self.change(lambda: self._replace(text))
        except ClickError as error:
            raise ArgError(render_as_click(error.diagnostics).rstrip("\n")) from None

    def change(self, replace: Callable[[], Runtime]) -> None:
        """Replace the router by the one that `replace` returns; if that raises, the router goes on. ClickError if the session has ended, or
        if an element of the running router asks for this while another thread replaces the router: each would wait for the other."""
        is_inside = self.runtime is not None and self.runtime.handlers.is_locked_here
        if not self._changing.acquire(blocking=not is_inside):
            raise ClickError("another configuration is just replacing this one")
        try:
            with self.swapping:
                if self._ended:
                    raise ClickError("the router has ended")
                old = self.runtime
                self.begin(replace())
                self._retired.append(old)
                del old  # this reference would keep it in memory when the other thread collects garbage
        finally:
            self._changing.release()

    def wait(self, seconds: float) -> bool:
        """Call Runtime.wait of the running router; then close replaced routers, in a thread that isn't theirs."""
        over = self.runtime.wait(seconds)
        with self.swapping:
            if self.runtime.path is not None:
                self.runtime.path.follow_clock()
                self._follow_devices()
        self.close_retired()
        return over

    def _follow_devices(self) -> None:
        """Look at the devices now and then, since they change; for sessions with devices."""

    def over(self) -> bool:
        """Whether the run is over, without waiting."""
        self.close_retired()
        return self.runtime.ended_itself

    def close_retired(self) -> None:
        """Close replaced routers, and collect garbage: runtimes and elements are in reference cycles, which Python would only collect
        later, along with the maps' memory."""
        if not self._retired:
            return
        while self._retired:
            self._retired.pop().close()
        gc.collect()

    def end(self) -> None:
        """Allow no more replacements, and wait for one that has begun: it must not go on with descriptors that are closed, and reused by
        others, meanwhile. Called before the last router is closed."""
        with self.swapping:
            self._ended = True
        self.close_retired()

    def close(self) -> None:
        self.end()
        if self.runtime is not None:
            self.runtime.close()

"""The optimised object of a router that began with one that was compiled sooner, while that runs."""

import threading

from clickbpf.aside import Aside, Cancelled
from clickbpf.compile import NativeRouter
from clickbpf.errors import ClickError
from clickbpf.runtime.library import RouterObject

#: Seconds that a router has to run before it is worth a compiler's time: many only answer a question.
WORTHWHILE = 0.5


class Optimising:
    """Compiles it aside, if the router still runs after a moment, and loads it, so that packets needn't wait for that. When `done`, there
    is an `object`, or an `error`."""

    def __init__(self, native: NativeRouter):
        self.object: RouterObject | None = None
        self.error: ClickError | None = None
        self.native, self._aside, self._cancelled = native, Aside(), threading.Event()
        self._thread = threading.Thread(target=self._compile, name="optimising", daemon=True)
        self._thread.start()

    def _compile(self) -> None:
        if self._cancelled.wait(WORTHWHILE):
            return
        try:
            self.object = RouterObject(self.native.optimised(self._aside))
        except ClickError as error:
            self.error = error
        except Cancelled:
            return
        except (OSError, RuntimeError) as error:  # no room for a file, or for a thread
            self.error = ClickError(f"compiling the router failed: {error}")

    @property
    def done(self) -> bool:
        return self.object is not None or self.error is not None

    def cancel(self) -> None:
        """End it; no process is left, and no object."""
        self._cancelled.set()
        self._aside.cancel()
        self._thread.join()
        if self.object:
            self.object.close()

"""Compiles the optimised object of a router while it runs one that was quick to compile."""

import threading

from clickbpf.background import Background, Cancelled
from clickbpf.compile import NativeRouter
from clickbpf.errors import ClickError
from clickbpf.runtime.library import RouterObject

#: Seconds that a router must run before optimisation is worthwhile: many only answer a question.
WORTHWHILE = 0.5


class Optimising:
    """Compiles the object in the background, if the router still runs after a moment, and loads it, so that packets needn't wait. When
    `done`, there is an `object` or an `error`."""

    def __init__(self, native: NativeRouter):
        self.object: RouterObject | None = None
        self.error: ClickError | None = None
        self.native, self._background, self._cancelled = native, Background(), threading.Event()
        self._thread = threading.Thread(target=self._compile, name="optimising", daemon=True)
        self._thread.start()

    def _compile(self) -> None:
        if self._cancelled.wait(WORTHWHILE):
            return
        try:
            self.object = RouterObject(self.native.optimised(self._background))
        except ClickError as error:
            self.error = error
        except Cancelled:
            return
        except (OSError, RuntimeError) as error:  # no resources for a file or a thread
            self.error = ClickError(f"compiling the router failed: {error}")

    @property
    def done(self) -> bool:
        return self.object is not None or self.error is not None

    def cancel(self) -> None:
        """End the compilation; leaves no process and no object."""
        self._cancelled.set()
        self._background.cancel()
        self._thread.join()
        if self.object:
            self.object.close()

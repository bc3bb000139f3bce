"""The optimised object of a router that began with one that was compiled sooner, while that runs."""

from __future__ import annotations

import threading
from pathlib import Path

from clickbpf.aside import Aside, Cancelled
from clickbpf.compile import NativeRouter
from clickbpf.errors import ClickError


class Optimising:
    """Compiles it aside, from now on. When `done`, there is a `path`, or an `error`."""

    def __init__(self, native: NativeRouter):
        self.path: Path | None = None
        self.error: ClickError | None = None
        self._native, self._aside = native, Aside()
        self._thread = threading.Thread(target=self._compile, name="optimising", daemon=True)
        self._thread.start()

    def _compile(self) -> None:
        try:
            self.path = self._native.optimised(self._aside)
        except ClickError as error:
            self.error = error
        except Cancelled:
            return

    @property
    def done(self) -> bool:
        return self.path is not None or self.error is not None

    def cancel(self) -> None:
        """End it; no process is left."""
        self._aside.cancel()
        self._thread.join()

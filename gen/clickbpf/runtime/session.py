"""A router that runs in this process, and those that take its place while it runs (the handler `hotconfig`)."""

from __future__ import annotations

import threading
from collections.abc import Callable

from clickbpf.args.error import ArgError
from clickbpf.errors import ClickError, render_as_click
from clickbpf.runtime.host import Runtime

#: Makes a router of a configuration's text and puts it in the place of the one that runs, which goes on if that raises.
Replace = Callable[[str], Runtime]


class Session:
    """`runtime` is the router that runs now. With `replace` another may take its place, by the write handler hotconfig."""

    def __init__(self, runtime: Runtime, replace: Replace | None = None):
        self.runtime = runtime
        self._replace: Replace | None = None
        self._swapping = threading.Lock()
        self._retired: list[Runtime] = []
        if replace is not None:
            self.allow(replace, "hotconfig")

    def allow(self, replace: Replace, handler: str) -> None:
        """Let another router take this one's place, by a write handler of that name."""
        self._replace, self._handler = replace, handler
        self._offer()

    def _offer(self) -> None:
        if self._replace is not None:
            self.runtime.handlers.define(self._handler, write=self._write, exclusive=False)

    def _write(self, text: str) -> None:
        """Another router takes over at once. ArgError, in Click's words, if it can't."""
        with self._swapping:
            try:
                self.runtime, old = self._replace(text), self.runtime
            except ClickError as error:
                raise ArgError(render_as_click(error.diagnostics).rstrip("\n")) from None
            self._offer()
            self._retired.append(old)

    def wait(self, seconds: float) -> bool:
        """Runtime.wait of the router that runs; routers that have ended are closed here, where none of their threads is."""
        over = self.runtime.wait(seconds)
        self._close_retired()
        return over

    def over(self) -> bool:
        """Whether the run is over, without waiting."""
        self._close_retired()
        return not self.runtime.retired and self.runtime.over

    def _close_retired(self) -> None:
        while self._retired:
            self._retired.pop().close()

    def close(self) -> None:
        for runtime in (*self._retired, self.runtime):
            runtime.close()

"""Handlers of a loaded router, called from other processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from clickbpf.closing import Closing
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.files.places import Pins, RunFolder, incomplete
from clickbpf.load.process import service
from clickbpf.messages import show
from clickbpf.nearest import did_you_mean
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.failures import Failure, HandlerError, full_name
from clickbpf.runtime.protocol import RENOUNCE

if TYPE_CHECKING:
    from clickbpf.runtime.handlers import Handlers

#: What can be done with a handler; the letters of the handler `handlers`.
READ, WRITE = "r", "w"


class Access(Closing):
    """Reading and writing handlers of a loaded router: by its control socket, or directly where its runtime is gone.

    Names are `element.handler`, or those of the router's own handlers. ClickError if the runtime doesn't answer within `patience`
    seconds. With `renounced` the caller has no more access than a client without any rights (vocabulary/rights.py).
    """

    def __init__(self, name: str, patience: float | None = None, renounced: bool = False):
        folder = RunFolder.of(name)
        if not folder.object.exists():
            raise incomplete(name)
        self._client = ControlClient(folder.control, patience) if service.alive(folder) else None
        self._handlers = None if self._client else _direct_handlers(Pins.of(name), folder)
        self._renounced = renounced
        if self._client and renounced:
            self._client.call(RENOUNCE)

    def close(self) -> None:
        if self._client:
            self._client.close()

    def read(self, handler: str, argument: str = "") -> str:
        with self._suggesting(handler, READ):
            if self._client:
                return self._client.read(handler, argument)
            self._require(handler, READ)
            return self._handlers.read(*self._handlers.split(handler), argument, hidden=self._renounced)

    def read_each(self, handlers: Sequence[str], argument: str = "") -> Iterator[str | ClickError]:
        """The values of many handlers, in their order; or, for one that can't be read, why. The router is asked as seldom as can be."""
        if self._client and "\n" not in argument and "\r" not in argument:
            yield from self._client.read_each([f"{handler} {argument}" if argument else handler for handler in handlers])
            return
        for handler in handlers:
            try:
                yield self.read(handler, argument)
            except ClickError as error:
                yield error

    def write(self, handler: str, text: str) -> None:
        with self._suggesting(handler, WRITE):
            if self._client:
                warnings = self._client.write(handler, text)
                show(Diagnostic(None, f"{handler}: {warning}", severity="warning") for warning in warnings)
            else:
                self._require(handler, WRITE)
                self._handlers.write(*self._handlers.split(handler), text)

    def allows(self, handler: str, way: str) -> bool:
        """Whether a handler can be read (READ) or written to (WRITE) from here."""
        if self._client:
            return self._client.allows(handler, way == WRITE)
        try:
            self._require(handler, way)
        except HandlerError:
            return False
        return True

    def _require(self, handler: str, way: str) -> None:
        """The error that a control socket would answer with, where there is none."""
        where = self._handlers.split(handler)
        bound = self._handlers.readable(*where) if way == READ else self._handlers.writable(*where)
        needs = bound.read_needs if way == READ else bound.write_needs
        if self._renounced and (bound.private or needs):
            raise HandlerError(Failure.PERMISSION, f"Permission denied for '{handler}'")

    def matching(self, pattern: str, way: str) -> list[str]:
        """The handlers that can be read (READ) or written to (WRITE) and fit a shell's pattern, in the router's order."""
        element, _, handler = pattern.rpartition(".")
        elements = [name for name in self.elements() if fnmatchcase(name, element)] if element else [""]
        listings = self.read_each([full_name(name, "handlers") for name in elements])
        able = ((name, each) for name, listing in zip(elements, listings) for each in _able(listing, way))
        found = [full_name(name, each) for name, each in able if fnmatchcase(each, handler)]
        if not found:
            raise ClickError(f"no handler fits '{pattern}'", hint="'clickbpf read list' shows the elements, 'read ELEMENT.handlers' theirs")
        return found

    def elements(self) -> list[str]:
        return self.read("list").splitlines()[1:]

    def handlers(self, element: str, way: str) -> list[str]:
        """The names of an element's handlers that can be read or written to; of the router's own for ""."""
        return _able(self.read(full_name(element, "handlers")), way)

    @contextmanager
    def _suggesting(self, name: str, way: str) -> Iterator[None]:
        """Add to an error about an unknown name the name that may have been meant."""
        try:
            yield
        except HandlerError as error:
            element, _, handler = name.rpartition(".")
            known = {Failure.NO_ELEMENT: self.elements, Failure.NO_HANDLER: lambda: self.handlers(element, way)}.get(error.failure)
            if known is None or handler == "handlers":
                raise
            wrong = element if error.failure is Failure.NO_ELEMENT else handler
            raise ClickError(f"{name}: {error.failure.value}", hint=did_you_mean(wrong, known())) from None


def _able(listing: str | ClickError, way: str) -> list[str]:
    """The names in a handler `handlers` of those that can be read or written to."""
    if isinstance(listing, ClickError):
        raise listing
    lines = (line.split("\t") for line in listing.splitlines())
    return [name for name, flags in lines if way in flags]


def _direct_handlers(pins: Pins, folder: RunFolder) -> Handlers:
    """The handlers over the pinned maps, for which the router is checked again; imported only when there is no runtime."""
    from clickbpf.load.access.direct import direct_handlers

    return direct_handlers(pins, folder)

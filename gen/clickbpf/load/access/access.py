"""Handlers of a loaded router, called from other processes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase

from clickbpf.closing import Closing
from clickbpf.errors import ClickError, Diagnostic
from clickbpf.load.files.places import Pins, RunFolder, incomplete, loaded
from clickbpf.load.process import service
from clickbpf.messages import show
from clickbpf.nearest import did_you_mean
from clickbpf.runtime.client import ControlClient
from clickbpf.runtime.failures import Failure, HandlerError, full_name
from clickbpf.runtime.protocol import RENOUNCE

#: The flags in the value of a handler `handlers`: a handler can be read, or written, or takes an argument when it is read.
READ, WRITE, ARGUMENT = "r", "w", "+"


class Access(Closing):
    """Reads and writes handlers of a loaded router: through its control socket, or directly if its runtime doesn't run.

    Names are `element.handler`, or those of the router's own handlers. ClickError if the runtime doesn't answer within `patience`
    seconds. `renounced` limits access to that of a client without any rights (vocabulary/rights.py).
    """

    def __init__(self, name: str, patience: float | None = None, renounced: bool = False):
        folder = RunFolder.of(name)
        if not folder.object.exists():
            raise incomplete(name)
        self._client = ControlClient(folder.control, patience) if service.alive(folder) else None
        self._renounced = renounced
        if self._client is None:
            from clickbpf.load.access.direct import direct_handlers  # slow, and only needed if no runtime runs

            self._handlers = direct_handlers(Pins.of(name), folder)
        elif renounced:
            self._client.call(RENOUNCE)

    def close(self) -> None:
        (self._client or self._handlers).close()

    def read(self, handler: str, argument: str = "") -> str:
        with self._suggesting(handler, READ):
            if self._client:
                return self._client.read(handler, argument)
            self._require(handler, READ)
            return self._handlers.read(*self._handlers.split(handler), argument, hidden=self._renounced)

    def read_each(self, handlers: Sequence[str], argument: str = "") -> Iterator[str | ClickError]:
        """The values of many handlers, in their order, or the error for one that can't be read; in as few requests as possible."""
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

    def allows(self, handler: str, operation: str) -> bool:
        """Whether this caller may read (READ) or write (WRITE) a handler."""
        if self._client:
            return self._client.allows(handler, operation == WRITE)
        try:
            self._require(handler, operation)
        except HandlerError:
            return False
        return True

    def _require(self, handler: str, operation: str) -> None:
        """Raise the error with which a control socket would answer."""
        where = self._handlers.split(handler)
        bound = self._handlers.readable(*where) if operation == READ else self._handlers.writable(*where)
        needs = bound.read_needs if operation == READ else bound.write_needs
        if self._renounced and (bound.private or needs):
            raise HandlerError(Failure.PERMISSION, f"Permission denied for '{handler}'")

    def matching(self, pattern: str, operation: str) -> list[str]:
        """The readable (READ) or writable (WRITE) handlers that match a shell pattern, in the router's order."""
        element, _, handler = pattern.rpartition(".")
        elements = [name for name in self.elements() if fnmatchcase(name, element)] if element else [""]
        able = ((name, each) for name, each, flags in self._listed(elements) if operation in flags)
        found = [full_name(name, each) for name, each in able if fnmatchcase(each, handler)]
        if not found:
            hint = "'clickbpf read list' lists the elements, 'clickbpf read ELEMENT.handlers' their handlers"
            raise ClickError(f"no handler matches '{pattern}'", hint=hint)
        return found

    def elements(self) -> list[str]:
        return self.read("list").splitlines()[1:]

    def handlers(self, element: str, operation: str) -> list[str]:
        """The names of an element's readable or writable handlers; for "" of the router's own."""
        return [name for _, name, flags in self._listed([element]) if operation in flags]

    def values(self, elements: Sequence[str]) -> list[str]:
        """The handlers of these elements that can be read without an argument, by their full names, in the router's order."""
        return [full_name(element, name) for element, name, flags in self._listed(elements) if READ in flags and ARGUMENT not in flags]

    def _listed(self, elements: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """The handlers of elements: element, handler, flags."""
        for element, listing in zip(elements, self.read_each([full_name(name, "handlers") for name in elements])):
            if isinstance(listing, ClickError):
                raise listing
            yield from ((element, name, flags) for name, flags in flags_of(listing).items())

    @contextmanager
    def _suggesting(self, name: str, operation: str) -> Iterator[None]:
        """Add a hint with a similar name to errors about unknown names."""
        try:
            yield
        except HandlerError as error:
            element, _, handler = name.rpartition(".")
            known = {Failure.NO_ELEMENT: self.elements, Failure.NO_HANDLER: lambda: self.handlers(element, operation)}.get(error.failure)
            if known is None or handler == "handlers":
                raise
            wrong = element if error.failure is Failure.NO_ELEMENT else handler
            hint = f"-r {name} chooses the router of that name" if name in loaded() else did_you_mean(wrong, known())
            raise ClickError(f"{name}: {error.failure.value}", hint=hint) from None


def flags_of(listing: str) -> dict[str, str]:
    """The flags of handlers by their names, from the value of a handler `handlers` (runtime/handlers.py)."""
    return dict(line.split("\t") for line in listing.splitlines())

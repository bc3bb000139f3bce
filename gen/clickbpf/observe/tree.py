"""The handlers of a loaded router as a tree of files, as Click's kernel module has them in /proc/click.

    ELEMENT/HANDLER      of an element; a/b, in a compound, is the folder a/b
    HANDLER              of the router itself
    ELEMENT/.h/HANDLER   the same, where an element or a compound has the handler's name
"""

import errno
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.access.access import READ, WRITE, Access
from clickbpf.runtime.failures import full_name

#: Seconds for which a list of elements or handlers is taken to be the newest, and those that a router may take for an answer.
LASTS, PATIENCE = 1.0, 30.0
#: The folder of handlers alone, which isn't listed.
HANDLERS = ".h"


@frozen
class Folder:
    """The names in it."""

    names: tuple[str, ...]


@frozen
class File:
    """A handler, by its full name, and what can be done with it."""

    handler: str
    readable: bool
    writable: bool


@frozen
class Elements:
    """The elements of a router; and what is in the folders that their names make, in order."""

    names: frozenset[str]
    folders: Mapping[str, Mapping[str, None]]


Known = TypeVar("Known")


class Tree:
    """The tree of the router that has the name, for any number of threads. Errors are OSErrors; one with the handler's own words has these
    as its text."""

    def __init__(self, router: str):
        self._router = router
        self._lock = threading.Lock()
        #: What handlers have said since then, as it is used.
        self._since = -LASTS
        self._known: dict[str, Any] = {}

    def look(self, path: str) -> Folder | File:
        """What is at a path that begins with a slash; FileNotFoundError if there is nothing."""
        name = path.strip("/")
        above, _, last = name.rpartition("/")
        if last == HANDLERS and self._has_handlers(above):
            return Folder(tuple(self._handlers(above)))
        inside = self._inside(name)
        if inside or self._has_handlers(name):
            return Folder((*inside, *(each for each in self._handlers(name) if each not in inside)))
        element = above.removesuffix(HANDLERS).rstrip("/") if above.split("/")[-1] == HANDLERS else above
        flags = self._handlers(element).get(last) if self._has_handlers(element) else None
        if flags is None:
            raise FileNotFoundError(errno.ENOENT, "no such element or handler", path)
        return File(full_name(element, last), READ in flags, WRITE in flags)

    def read(self, file: File) -> bytes:
        with self._asked() as access:
            return access.read(file.handler).encode("utf-8", "surrogateescape")

    def write(self, file: File, content: bytes) -> None:
        """Call the handler with a text; the newline that ends a shell's line isn't part of it."""
        with self._asked() as access:
            access.write(file.handler, content.decode("utf-8", "surrogateescape").removesuffix("\n"))

    def _inside(self, folder: str) -> Mapping[str, None]:
        """What the folder has of elements and compounds."""
        return self._elements().folders.get(folder, {})

    def _has_handlers(self, element: str) -> bool:
        return not element or element in self._elements().names

    def _elements(self) -> Elements:
        return self._lately("list", _elements)

    def _handlers(self, element: str) -> Mapping[str, str]:
        """The handlers of an element that is there, or of the router for "", each with the letters of what can be done."""
        return self._lately(full_name(element, "handlers"), _handlers) if self._has_handlers(element) else {}

    def _lately(self, handler: str, use: Callable[[list[str]], Known]) -> Known:
        """What the lines of a handler's value mean, as they were a moment ago."""
        with self._lock:
            if time.monotonic() - self._since >= LASTS:
                self._since, self._known = time.monotonic(), {}
            known = self._known
            if handler in known:
                return known[handler]
        with self._asked() as access:
            found = use(access.read(handler).splitlines())
        with self._lock:
            known[handler] = found
        return found

    @contextmanager
    def _asked(self) -> Iterator[Access]:
        try:
            with Access(self._router, PATIENCE) as access:
                yield access
        except ClickError as error:
            raise OSError(errno.EINVAL, error.diagnostics[0].message) from None


def _elements(lines: list[str]) -> Elements:
    """Of the value of `list`: their number, and their names."""
    folders: dict[str, dict[str, None]] = {}
    for name in lines[1:]:
        while name:
            above, _, last = name.rpartition("/")
            inside = folders.setdefault(above, {})
            if last in inside:
                break
            inside[last] = None
            name = above
    return Elements(frozenset(lines[1:]), folders)


def _handlers(lines: list[str]) -> Mapping[str, str]:
    return dict(line.split("\t") for line in lines)

"""The handlers of a loaded router as a tree of files, like /click of Click's kernel module.

    ELEMENT/HANDLER      a handler of an element; the element a/b of a compound is the folder a/b
    HANDLER              a handler of the router itself
    ELEMENT/.h/HANDLER   the same handler, for when an element or a compound has the handler's name
"""

import errno
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from clickbpf.errors import ClickError
from clickbpf.frozen import frozen
from clickbpf.load.access.access import READ, WRITE, Access, flags_of
from clickbpf.runtime.failures import full_name

#: Seconds for which a list of elements or handlers is cached, and seconds that a router may take for an answer.
LASTS, PATIENCE = 1.0, 30.0
#: The folder with only the handlers; it isn't listed.
HANDLERS = ".h"


@frozen
class Folder:
    """A folder and the names in it."""

    names: tuple[str, ...]


@frozen
class File:
    """A handler, by its full name."""

    handler: str
    readable: bool
    writable: bool


@frozen
class Elements:
    """The elements of a router, and the contents of the folders that their names form, in order."""

    names: frozenset[str]
    folders: Mapping[str, Mapping[str, None]]


Known = TypeVar("Known")


class Tree:
    """The tree of the router with this name, for any number of threads. Raises OSErrors, with the handler's message if it has failed."""

    def __init__(self, router: str):
        self._router = router
        self._lock = threading.Lock()
        #: The cache of parsed lists, by handler, and the time of its first entry.
        self._since = -LASTS
        self._known: dict[str, Any] = {}

    def look(self, path: str) -> Folder | File:
        """The folder or file at a path that begins with a slash; FileNotFoundError if there is none."""
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
        """Call the handler with a text, without the newline that `echo` appends."""
        with self._asked() as access:
            access.write(file.handler, content.decode("utf-8", "surrogateescape").removesuffix("\n"))

    def _inside(self, folder: str) -> Mapping[str, None]:
        """The elements and compounds in the folder."""
        return self._elements().folders.get(folder, {})

    def _has_handlers(self, element: str) -> bool:
        return not element or element in self._elements().names

    def _elements(self) -> Elements:
        return self._lately("list", _elements)

    def _handlers(self, element: str) -> Mapping[str, str]:
        """The handlers of an element, or of the router for "", each with its flags; empty if there is no such element."""
        return self._lately(full_name(element, "handlers"), flags_of) if self._has_handlers(element) else {}

    def _lately(self, handler: str, use: Callable[[str], Known]) -> Known:
        """Parse a handler's value with `use`, or return the cached result."""
        with self._lock:
            if time.monotonic() - self._since >= LASTS:
                self._since, self._known = time.monotonic(), {}
            known = self._known
            if handler in known:
                return known[handler]
        with self._asked() as access:
            found = use(access.read(handler))
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


def _elements(listed: str) -> Elements:
    """Parse the value of `list`: the number of elements, and their names."""
    names = listed.splitlines()[1:]
    folders: dict[str, dict[str, None]] = {}
    for name in names:
        while name:
            above, _, last = name.rpartition("/")
            inside = folders.setdefault(above, {})
            if last in inside:
                break
            inside[last] = None
            name = above
    return Elements(frozenset(names), folders)

"""The subjects of the page: running routers, and configurations in files. Browsers refer to them by number, never by path."""

import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from clickbpf.compile import Compilation, check_text
from clickbpf.errors import ClickError, Diagnostics, Place, Sources
from clickbpf.frozen import frozen
from clickbpf.graph.checked import CheckedRouter
from clickbpf.graph.directives import FindLibrary
from clickbpf.graph.unparse import flat_configuration
from clickbpf.lang import ast
from clickbpf.lang.load import library_finder
from clickbpf.load.devices.record import record
from clickbpf.load.files import places
from clickbpf.load.files.places import RunFolder, incomplete
from clickbpf.load.path.compilation import reopened
from clickbpf.plan.values import Options, Plan
from clickbpf.vocabulary.library import Library

#: The most bytes of a configuration.
LARGEST = 1 << 20


@frozen
class Shown:
    """A router at one time: `made` is compiled as far as drawing needs it; `version` changes with the router."""

    made: Compilation
    version: str

    @property
    def plan(self) -> Plan:
        return self.made.plan

    @property
    def written(self) -> str:
        """The original configuration, which needs the `given` variables; the flat one if the original depends on other files."""
        router = self.made.checked.router
        return router.text if router.is_written_alone else self.made.configuration

    def given_to(self, text: str) -> dict[str, str]:
        """The variables that a text for this router needs."""
        return {name: value for name, value in self.made.checked.router.given.items() if re.search(rf"\$\{{?{re.escape(name)}\b", text)}

    @cached_property
    def hidden(self) -> Mapping[str, str]:
        """The arguments of the elements, without the keys in them."""
        return {element.name: element.config for element in self.made.checked.without_secrets.elements}

    @cached_property
    def hidden_text(self) -> str:
        """The original configuration if there are no keys in it, otherwise the flat one without them."""
        flat = flat_configuration(self.made.checked.without_secrets)
        return self.written if flat == self.made.configuration else flat


class Subject(ABC):
    """A router or file with a graph. Methods raise ClickError if it has none at present."""

    kind: str

    def __init__(self, name: str):
        self.name = name
        self._shown: Shown | None = None
        self._lock = threading.Lock()

    @abstractmethod
    def version(self) -> str:
        """The current version."""

    @abstractmethod
    def _show(self, version: str) -> Shown: ...

    @abstractmethod
    def text(self, secrets: bool) -> str:
        """The configuration, with its keys or without."""

    @abstractmethod
    def check(self, text: str) -> CheckedRouter:
        """The checked router of another text for this subject; no files are opened. ClickError with its mistakes."""

    @abstractmethod
    def classes(self) -> Library:
        """The element classes for another text of this subject."""

    @abstractmethod
    def surroundings(self, text: str) -> dict[str, Any]:
        """What a test instance needs besides the text, as members of probe.ProbeRequest."""

    def options(self) -> Options:
        """The planner's options for other texts of this subject."""
        return Options()

    def shown(self) -> Shown:
        """The current router, compiled once for all viewers."""
        with self._lock:
            version = self.version()
            if self._shown is None or self._shown.version != version:
                self._shown = self._show(version)
            return self._shown


class RunningRouter(Subject):
    kind = "router"

    @property
    def folder(self) -> RunFolder:
        return RunFolder.of(self.name)

    def version(self) -> str:
        """Identifies the router's object, which is another file after a replacement."""
        found = self.folder.version()
        if found is None:
            raise self._gone()
        return found

    def _gone(self) -> ClickError:
        return incomplete(self.name) if self.folder.exists() else places.not_loaded(self.name)

    def _show(self, version: str) -> Shown:
        try:
            made = reopened(self.folder)
        except OSError:
            raise self._gone() from None
        self._library = Library.standard(record(self.folder).trusted_library())
        return Shown(made, version)

    def options(self) -> Options:
        return self.shown().made.options

    def classes(self) -> Library:
        self.shown()
        return self._library

    def surroundings(self, text: str) -> dict[str, Any]:
        library = record(self.folder).trusted_library()
        return {"name": self.name, "library": library, "variables": self.shown().given_to(text), "devices": self._devices()}

    def text(self, secrets: bool) -> str:
        shown = self.shown()
        return shown.written if secrets else shown.hidden_text

    def check(self, text: str) -> CheckedRouter:
        given = self.shown().given_to(text)
        return check_text(text, self.classes(), given, name=self.name, devices=self._devices(), find_library=lambda *_: None)

    def _devices(self) -> dict[str, str]:
        """The devices that it uses under other names than the configuration's."""
        return {conf: device for conf, device in record(self.folder).devices.items() if conf != device}


class File(Subject):
    kind = "file"

    def __init__(self, name: str, folders: Sequence[str], variables: Mapping[str, str]):
        super().__init__(name)
        self.path, self.variables = Path(name).resolve(), variables
        self.folders = [str(Path(folder).resolve()) for folder in folders]
        self.library = Library.standard(self.folders)
        self._libraries: dict[str, tuple[ast.File, str] | None] = {}

    def version(self) -> str:
        with _readable(self.name):
            return places.version(self.path.stat())

    def _show(self, version: str) -> Shown:
        self._libraries = {}
        return Shown(Compilation(self._check(self.text(True), self._find_and_remember)), version)

    def check(self, text: str) -> CheckedRouter:
        """Check a text with the libraries that the file requires; other libraries aren't looked for."""
        with suppress(ClickError):
            self.shown()
        return self._check(text, lambda name, place: self._libraries.get(name))

    def classes(self) -> Library:
        return self.library

    def _check(self, text: str, find_library: FindLibrary) -> CheckedRouter:
        return check_text(text, self.library, self.variables, name=self.name, devices=self.variables, find_library=find_library)

    def _find_and_remember(self, name: str, place: Place) -> tuple[ast.File, str] | None:
        found = library_finder(Sources(), Diagnostics())(name, Place(str(self.path), place.line, place.column))
        self._libraries[name] = found
        return found

    def surroundings(self, text: str) -> dict[str, Any]:
        values = dict(self.variables)
        return {"name": str(self.path), "library": self.folders, "variables": values, "devices": values}

    def text(self, secrets: bool) -> str:
        with _readable(self.name), open(self.path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ClickError(f"{self.name} is longer than {LARGEST} bytes")
        return content.decode("utf-8", "surrogateescape")


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Report system errors as the user's mistakes."""
    try:
        yield
    except OSError as error:
        raise ClickError(f"cannot read '{name}': {error.strerror}") from None


class Subjects:
    """The subjects named on the command line; by default all routers loaded at the time."""

    def __init__(self, names: Sequence[str], folders: Sequence[str], variables: Mapping[str, str]):
        """`folders` have element classes, and `variables` are for the files. ClickError for a name that is neither a router nor a file."""
        self._all = not names
        self._known: dict[int, Subject] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._next = count()  # unique even if threads add subjects at the same time
        running = set(places.loaded())
        for name in names:
            if name in running:
                self._add(RunningRouter(name))
            elif Path(name).is_file():
                self._add(File(name, folders, variables))
            else:
                hint = f"loaded are {', '.join(sorted(running))}" if running else "none is loaded"
                raise ClickError(f"'{name}' is neither a router that is loaded nor a file", hint=hint)

    def now(self) -> Iterator[tuple[int, Subject]]:
        """All subjects with their numbers, which never change."""
        running = set()
        with suppress(ClickError):
            running = set(places.loaded())
        for name in sorted(running) if self._all else ():
            self._add(RunningRouter(name))
        for number, subject in list(self._known.items()):
            if not self._all or subject.name in running:
                yield number, subject

    def find(self, number: str) -> Subject | None:
        return self._known.get(int(number)) if number.isascii() and number.isdigit() and len(number) < 10 else None

    def _add(self, subject: Subject) -> None:
        key = (subject.kind, subject.name)
        if key not in self._numbers:
            self._known.setdefault(self._numbers.setdefault(key, next(self._next)), subject)

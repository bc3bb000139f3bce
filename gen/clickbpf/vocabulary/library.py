"""The library of element classes: finds them in the Python files of `elements/<family>/`, and of a user's own directories.

Looking up a class imports the files that may define it: first the file of that name (`decipttl.py` for DecIPTTL); if the class isn't
there, the library's own files that contain `class NAME` or, for an alias, `aliases = (..., "NAME", ...)`, and all files of users'
directories. Files in a directory may import each other relatively; the library's own are also the package `clickbpf_elements`
(`from clickbpf_elements.ip._encap import ...`).
"""

import hashlib
import importlib
import os
import re
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Self

from clickbpf.errors import ClickError, Place
from clickbpf.nearest import did_you_mean
from clickbpf.vocabulary.element import Element, subclasses_in
from clickbpf.vocabulary.sources import own_elements

#: Directories of users' element classes, separated by colons, searched before the library's own.
PATH_VARIABLE = "CLICKBPF_PATH"

#: The package of the library's own element files.
OWN_PACKAGE = "clickbpf_elements"


def path_of_environment(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """The directories in CLICKBPF_PATH."""
    return [Path(path).expanduser().resolve() for path in environment.get(PATH_VARIABLE, "").split(":") if path]


class Library(Collection[str]):
    """The element classes of some directories; of classes with the same name, the one in the first directory counts.

    As a collection it contains the names of the classes. Looking up a class whose file can't be imported raises a ClickError about the
    file.
    """

    def __init__(self, directories: Iterable[Path]):
        listed = {directory: _own_files() if directory == own_elements() else _files(directory) for directory in directories}
        self._files = {directory: files for directory, (files, _) in listed.items()}
        self._likely = {directory: by_stem for directory, (_, by_stem) in listed.items()}
        self._loaded: dict[Path, list[type[Element]]] = {}
        self._found: dict[str, type[Element] | None] = {}

    @classmethod
    def standard(cls, paths: Iterable[str | Path] = (), environment: Mapping[str, str] = os.environ) -> Self:
        """The classes of `paths`, then those of CLICKBPF_PATH, then the library's own."""
        users = [Path(path).expanduser().resolve() for path in paths] + path_of_environment(environment)
        for path in users:
            if not path.is_dir():
                raise ClickError(f"no such directory of element classes: {path}")
        return cls([*users, own_elements()])

    def find(self, name: str) -> type[Element]:
        """The class with this name or alias; ClickError (without a place) if there is none."""
        if not self.known(name):
            raise ClickError(f"unknown element class '{name}'", hint=did_you_mean(name, self))
        return self._found[name]

    def known(self, name: str) -> bool:
        """Whether there is a class of that name or alias."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name] is not None

    def names(self) -> list[str]:
        """The names of all classes, sorted, without aliases."""
        return sorted({class_.class_name() for class_ in self._all()})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.known(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def _find(self, name: str) -> type[Element] | None:
        for directory, files in self._files.items():
            for file in self._may_define(name, directory, files):
                for class_ in self._load(file, directory):
                    if name == class_.class_name() or name in class_.aliases:
                        return class_
        return None

    def _may_define(self, name: str, directory: Path, files: Iterable[Path]) -> Iterator[Path]:
        yield from self._likely[directory].get(name.lower(), ())
        yield from _naming().get(name, ()) if directory == own_elements() else files

    def _all(self) -> Iterator[type[Element]]:
        for directory, files in self._files.items():
            for file in files:
                yield from self._load(file, directory)

    def _load(self, file: Path, directory: Path) -> list[type[Element]]:
        """The classes that a file defines."""
        if file not in self._loaded:
            try:
                module = _import(file, directory)
            except Exception as error:  # a user's file may raise anything
                moved = isinstance(error, ImportError) and (error.name or "").startswith(f"{__name__.partition('.')[0]}.")
                hint = "import everything that classes are declared with from clickbpf.declare" if moved else None
                raise ClickError(f"can't import this file: {_one_line(error)}", _place_of(error, file), hint) from error
            self._loaded[file] = list(subclasses_in(vars(module), module.__name__))
        return self._loaded[file]


def _element_files(directory: Path) -> Iterator[Path]:
    """The files of a directory, then those of its folders, in alphabetic order."""
    yield from _python_files(directory)
    for entry in sorted(os.scandir(directory), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _python_files(directory / entry.name)


def _python_files(folder: Path) -> list[Path]:
    return [folder / name for name in sorted(os.listdir(folder)) if name.endswith(".py") and not name.startswith("_")]


def _files(directory: Path) -> tuple[list[Path], dict[str, list[Path]]]:
    """The files of a directory, and the same by their names without the ending."""
    files = list(_element_files(directory))
    by_stem: dict[str, list[Path]] = {}
    for file in files:
        by_stem.setdefault(file.stem, []).append(file)
    return files, by_stem


@cache
def _own_files() -> tuple[list[Path], dict[str, list[Path]]]:
    """The same of the library's own, which stay: listing them takes a fifth of the time of checking a small configuration."""
    return _files(own_elements())


#: Class names and aliases in a file's text. Searching for the newline before a line is ten times as fast as for the line's start.
_NAMED = re.compile(r"\n(?:class (\w+)|    aliases = \(([^)]*)\))")
_ALIAS = re.compile(r'"(\w+)"')


@cache
def _naming() -> Mapping[str, list[Path]]:
    """The library's own files, by the names that they may define: reading all of them is ten times as fast as importing them."""
    found: dict[str, list[Path]] = {}
    for file in _own_files()[0]:
        for class_, aliases in _NAMED.findall("\n" + file.read_text(encoding="utf-8")):
            for name in [class_] if class_ else _ALIAS.findall(aliases):
                found.setdefault(name, []).append(file)
    return found


def _import(file: Path, directory: Path) -> ModuleType:
    """Import a file as part of the package that represents its directory."""
    return importlib.import_module(".".join((_package(directory), *file.relative_to(directory).with_suffix("").parts)))


def _package(directory: Path) -> str:
    """The name of the package whose modules are the files under `directory`."""
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:12]
    name = OWN_PACKAGE if directory == own_elements() else f"{OWN_PACKAGE}_{digest}"
    if name not in sys.modules:
        package = ModuleType(name, f"Element classes of {directory}.")
        package.__path__ = [str(directory)]
        sys.modules[name] = package
    return name


def _place_of(error: Exception, file: Path) -> Place:
    """The place of the error in the file; its first line if the place isn't known."""
    if isinstance(error, SyntaxError) and error.filename:
        return Place(error.filename, error.lineno or 1, error.offset or 1)
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return Place(str(file), lines[-1] or 1 if lines else 1, 1)


def _one_line(error: Exception) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {' '.join(message.split())}" if message else type(error).__name__

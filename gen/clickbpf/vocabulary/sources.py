"""Finds classes' C files, and the entry points that they define."""

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parents[1]
_ENTRY = re.compile(r"^(PULL|TASK|TIMER|EVENT|INIT|CLEANUP|CONTROL|GIVES_UP)\(\)", re.MULTILINE)
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
#: Includes of templates, each of which an instance includes for itself.
_TEMPLATE = re.compile(r'^#include "([^"]+\.(?:inc\.h|c))"', re.MULTILINE)


@cache
def own_elements() -> Path:
    """The library's own `elements/`: within the installed package, or beside `gen/` in a checkout."""
    installed = _PACKAGE / "elements"
    return installed if installed.is_dir() else _PACKAGE.parent.parent / "elements"


def c_texts(source: Path, include: re.Pattern[str] = _INCLUDE) -> Iterator[str]:
    """The texts of a C file, and of the files beside it or in the library that it includes."""
    pending, seen = [source], set()
    while pending:
        path = pending.pop()
        if path in seen or not path.exists():
            continue
        seen.add(path)
        text = path.read_text()
        yield text
        pending += [where / name for name in include.findall(text) for where in (own_elements(), path.parent)]


def c_source(class_: type) -> Path | None:
    """The C file beside the Python file of the class, or of the nearest base that has one; None if no packet goes through the class."""
    beside = (Path(inspect.getfile(base)).with_suffix(".c") for base in class_.__mro__[:-1])
    return next((path for path in beside if path.exists()), None)


class Entries:
    """The attribute `entries` of classes: the names of the entry points that a class's C file defines besides ELEMENT, and of those that
    only wake its TASK (`wakes`). An element whose arguments leave out some sets the attribute itself."""

    def __get__(self, element: Any, class_: type) -> frozenset[str]:
        return _entries(class_)


@cache
def _entries(class_: Any) -> frozenset[str]:
    source = c_source(class_)
    defined = (name.lower() for text in c_texts(source, _TEMPLATE) for name in _ENTRY.findall(text)) if source else ()
    return frozenset((*defined, *class_.wakes))

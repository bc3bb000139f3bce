"""Reads configurations: files, standard input, archives, and libraries in the folders of CLICKPATH."""

import os
import sys
from dataclasses import replace
from pathlib import Path

from clickbpf.errors import ClickError, Diagnostic, Diagnostics, Place, Sources
from clickbpf.lang import ast
from clickbpf.lang.archive import is_archive, read_archive
from clickbpf.lang.parser import parse

#: The first bytes of executables and objects.
ELF = b"\x7fELF"


def is_object(path: str) -> bool:
    """Whether the file is a compiled object."""
    try:
        with open(path, "rb") as file:
            return file.read(len(ELF)) == ELF
    except OSError:
        return False


def parse_file(path: str, sources: Sources | None = None, found: Diagnostics | None = None) -> ast.File:
    """The syntax tree of the configuration or archive at `path`; `-` is standard input.

    Here and in `parse_source`, syntax mistakes are reported as by `parse`; ClickError if there is nothing to parse.
    """
    try:
        data = sys.stdin.buffer.read() if path == "-" else _content(path)
    except OSError as error:
        said = Diagnostic(None, f"{path}: {error.strerror}")
        raise ClickError([Diagnostic(None, f"cannot read '{path}': {error.strerror}", in_click=(said,))]) from None
    return parse_source(data, "<stdin>" if path == "-" else path, sources, found)


def _content(path: str) -> bytes:
    with open(path, "rb") as file:  # not a Path, since Path("") is a folder
        return file.read()


def parse_source(source: str | bytes, file: str = "config", sources: Sources | None = None, found: Diagnostics | None = None) -> ast.File:
    """The syntax tree of a configuration, or of the member `config` of an archive."""
    if isinstance(source, str):
        return replace(parse(source, file, sources, found), text=source)
    if not is_archive(source):
        if b"\0" in source:
            hint = "'clickbpf load' loads objects, 'clickbpf info' describes them" if source.startswith(ELF) else None
            raise ClickError(f"{file} is a binary file, not a configuration", hint=hint)
        return parse_source(source.decode("utf-8", "surrogateescape"), file, sources, found)
    members = read_archive(source, file)
    if "config" not in members:
        raise ClickError(
            "archive has no member 'config'",
            Place(file, 1, 1),
            f"its members are {', '.join(members) or 'none'}",
        )
    text = members.pop("config").decode("utf-8", "surrogateescape")
    return replace(parse_source(text, file, sources, found), archive=tuple(members.items()))


def find_file(name: str, folder: str) -> Path | None:
    """Search for `name` as Click does: in `folder`, then in each part of CLICKPATH, and in the folder `conf` of each.

    An empty part of CLICKPATH means `folder`.
    """
    for part in ["", *os.environ.get("CLICKPATH", "").split(":")]:
        base = Path(part or folder)
        for candidate in (base / "conf" / name, base / name):
            if candidate.is_file():
                return candidate
    return None


def library_finder(sources: Sources, found: Diagnostics):
    """A function that finds and parses the library of a `require(library NAME)` statement."""

    def find(name: str, place: Place) -> tuple[ast.File, str] | None:
        path = find_file(name, os.path.dirname(place.file) or ".")
        return (parse_file(str(path), sources, found), str(path.resolve())) if path else None

    return find

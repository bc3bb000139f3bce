"""The folders of element classes that a router's record names. Whoever looks at a router imports the Python in them.

The record is no reason to do so: a router that went wrong can write into its own, and into files in folders that are its service's. So
only files are imported that nobody but the user who looks, or root, can have written.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import PATH_VARIABLE, own_elements, path_of_environment

#: Where services of systemd write files that are root's, however few rights they have: the unit's folders, those that drop-ins name, and
#: what ProtectSystem= leaves out. /tmp and the like are refused because everybody can write there.
OF_SERVICES = tuple(map(Path, ("/dev", "/proc", "/run", "/sys", "/var")))
#: Files and folders that are looked at in a folder of element classes.
MOST = 10_000


def libraries(record: Mapping[str, Any]) -> list[str]:
    """The folders that a record names, if their Python may be imported; otherwise ClickError."""
    return trusted(record.get("library", ()))


def trusted(folders: Iterable[str | Path]) -> list[str]:
    """These folders without symbolic links in their paths, if Python in them may be imported because a record names them; otherwise
    ClickError."""
    found = [Path(folder).resolve() for folder in folders]
    named = path_of_environment()
    for folder in found:
        reason = None if folder in named else _why_untrusted(folder)
        if reason:
            raise ClickError(
                f"the element classes in {folder} aren't imported for a loaded router: {reason}",
                hint=f"let a folder have them in which only you or root can write, /usr/local for example; or set {PATH_VARIABLE}={folder}",
            )
    return [str(folder) for folder in found]


def _why_untrusted(folder: Path) -> str | None:
    """Who else could have written what is imported from a folder; None if nobody could. clickbpf's own files are what runs already."""
    if folder.is_relative_to(own_elements().parent):
        return None
    for place in OF_SERVICES:
        if folder.is_relative_to(place):
            return f"services can write in {place}"
    for number, path in enumerate(_what_counts(folder)):
        if number == MOST:
            return f"it has more than {MOST} files"
        if reason := private.why_untrusted(path):
            return reason
    return None


def _what_counts(folder: Path) -> Iterator[Path]:
    """A folder, what is in it, and the folders above, also those in which only the owner of a file can replace it."""
    yield from (folder, *folder.parents)
    for place, folders, files in os.walk(folder):
        yield from (Path(place, name) for name in (*folders, *files))

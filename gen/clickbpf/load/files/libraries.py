"""Decides which folders of element classes, named in a router's record, may be imported. Every command about a router imports them.

The record alone isn't trusted: a compromised router can write to it, and to files in its service's folders. So only files are imported
that nobody but this process's user or root can have written.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from clickbpf import private
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import PATH_VARIABLE, own_elements, path_of_environment

#: Folders in which systemd's services, even with few rights, can write files that are root's: the unit's own folders, those in drop-ins,
#: and those that ProtectSystem= doesn't protect. /tmp and the like are refused anyway, because everybody can write there.
OF_SERVICES = tuple(map(Path, ("/dev", "/proc", "/run", "/sys", "/var")))
#: The most files and folders that are checked in a folder of element classes.
MOST = 10_000


def trusted(folders: Iterable[str | Path]) -> list[str]:
    """These folders, as paths without symbolic links, if their Python may be imported for a record; otherwise ClickError."""
    found = [Path(folder).resolve() for folder in folders]
    named = path_of_environment()
    for folder in found:
        reason = None if folder in named else _why_untrusted(folder)
        if reason:
            raise ClickError(
                f"the element classes in {folder} aren't imported for a loaded router: {reason}",
                hint=f"put them into a folder to which only you or root can write, below /usr/local; or set {PATH_VARIABLE}={folder}",
            )
    return [str(folder) for folder in found]


def _why_untrusted(folder: Path) -> str | None:
    """Who else could have written the files of a folder; None if nobody. clickbpf's own files are trusted, since they run already."""
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
    """All paths to check: a folder, everything in it, and all folders above it."""
    yield from (folder, *folder.parents)
    for place, folders, files in os.walk(folder):
        yield from (Path(place, name) for name in (*folders, *files))

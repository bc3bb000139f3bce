"""Folders and files that only their owner can access, whatever the umask; and checks of existing ones."""

from __future__ import annotations

import os
import pwd
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import ClickError

FOLDER, FILE = 0o700, 0o600
#: Mode bits by which others could change a file or folder.
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH


def make_folder(path: Path) -> None:
    """Make a new folder; missing folders above it are made with the umask."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(FOLDER)


def claim_folder(path: Path) -> None:
    """A folder for this user alone: a new one, or an existing one, whose mode is changed if need be.

    ClickError if it is another user's.
    """
    with suppress(FileExistsError):
        make_folder(path)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise ClickError(f"{path} can't be used: it is {_whose(status)}")
    if stat.S_IMODE(status.st_mode) & ~FOLDER:
        path.chmod(FOLDER)


def open_file(path: Path, flags: int) -> int:
    """A descriptor of a file that is made, or made private, if need be."""
    opened = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, FILE)
    os.fchmod(opened, FILE)
    return opened


def write(path: Path, content: bytes) -> None:
    """Replace a file atomically."""
    opened, new = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with open(opened, "wb") as file:
            file.write(content)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise


def doubt(path: Path) -> str | None:
    """Why the content of a file or folder can't be trusted: who else could have written it. None if only this user and root
    could, or if it doesn't exist."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    except PermissionError:
        return f"this user can't look at {path}"
    if status.st_uid not in (0, os.geteuid(), Path("/").stat().st_uid) or stat.S_ISLNK(status.st_mode):
        return f"{path} is {_whose(status)}"
    return f"others can write to {path}" if status.st_mode & _WRITABLE else None


def doubt_on_the_way(folder: Path) -> str | None:
    """The same for a folder, without symbolic links in its path, and all folders above it: a user who can rename one of them can
    replace the rest.

    In a sticky folder (/tmp) nobody can rename another user's files.
    """
    above = (path for path in folder.parents if not _is_sticky(path))
    return next(filter(None, map(doubt, (folder, *above))), None)


def _is_sticky(folder: Path) -> bool:
    """False also if it doesn't exist, goes meanwhile, or can't be looked at."""
    try:
        return bool(folder.stat().st_mode & stat.S_ISVTX)
    except (FileNotFoundError, PermissionError):
        return False


def _whose(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "a symbolic link"
    with suppress(KeyError):
        return f"{pwd.getpwuid(status.st_uid).pw_name}'s"
    return f"user {status.st_uid}'s"

"""Replaces a file's content atomically."""

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from clickbpf.errors import ClickError


def rewrite(path: Path, change: Callable[[bytes, os.stat_result], bytes]) -> os.stat_result:
    """Replace a file's content by the result of `change(content, status)`, unless that raises; returns the new file's status.

    The file keeps its owner and its mode. ClickError if it can't be written, or isn't a regular file (a symbolic link isn't).
    """
    try:
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            return _rewrite(path.name, folder, change)
        finally:
            os.close(folder)
    except OSError as error:
        raise ClickError(f"cannot write '{path}': {error.strerror}") from None


def _rewrite(name: str, folder: int, change: Callable[[bytes, os.stat_result], bytes]) -> os.stat_result:
    """The same for a name in a folder. `folder` is a descriptor, so that the file stays in it even if its path changes meanwhile."""
    before = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(before.st_mode):
        raise ClickError(f"'{name}' is not a regular file")
    with open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder), "rb") as file:
        content = change(file.read(), before)
    new = f".{name[:200]}.{secrets.token_hex(8)}"
    try:
        _write(new, folder, content, before)
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(new, dir_fd=folder)
        raise
    return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _write(name: str, folder: int, content: bytes, like: os.stat_result) -> None:
    """Write a new file with the owner and mode of another."""
    with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder), "wb") as file:
        if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(file.fileno(), like.st_uid, like.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())

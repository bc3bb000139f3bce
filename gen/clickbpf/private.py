"""Creates folders and files that only their owner can access, whatever the umask is; and checks existing ones."""

import os
import pwd
import stat
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from clickbpf.errors import ClickError

FOLDER, FILE = 0o700, 0o600
#: Mode bits by which others could change a file or folder.
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH
#: The number of possible user ids: the last one, -1, means none.
_ALL_USERS = 2**32 - 1


def make_folder(path: Path) -> None:
    """Create a folder; missing parents are created with the umask."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(FOLDER)


def claim_folder(path: Path) -> None:
    """Create a folder for this user alone, or change an existing one's mode to that.

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
    """A descriptor of a file, which is created if it doesn't exist, and made private."""
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
        with suppress(FileNotFoundError):  # an interrupt may come after it got its name
            os.unlink(new)
        raise


def read(path: Path) -> str | None:
    """A file's text; None if there is no such file."""
    with suppress(FileNotFoundError):
        return path.read_text()
    return None


def why_untrusted(path: Path) -> str | None:
    """Why the content of a file or folder can't be trusted: because others could have written it. None if only this user and root could, or
    if it doesn't exist."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    except PermissionError:
        return f"this user can't look at {path}"
    if stat.S_ISLNK(status.st_mode) or not (_is_unknown_roots(path) if _is_unknown(status.st_uid) else _is_trusted(status.st_uid)):
        return f"{path} is {_whose(status)}"
    return f"others can write to {path}" if status.st_mode & _WRITABLE else None


def _is_trusted(uid: int) -> bool:
    """Whether a uid is root's, this user's, or that of the root folder's owner, which in a container is the machine's root."""
    return uid in (0, os.geteuid()) or uid == os.stat("/").st_uid


def _is_unknown(uid: int) -> bool:
    """Whether a uid represents all users without a uid in this user namespace, such as the machine's root in a namespace that another user
    has created."""
    if uid != _overflow_uid():  # as nearly always
        return False
    mapped = sum(int(line.split()[2]) for line in Path("/proc/self/uid_map").read_text().splitlines())
    return mapped < _ALL_USERS


@cache
def _overflow_uid() -> int:
    """What the kernel calls users without a uid: a setting that stays."""
    return int(Path("/proc/sys/kernel/overflowuid").read_text())


def _is_unknown_roots(path: Path) -> bool:
    """Whether an unknown user's file or folder must be root's: the root folder and its entries, which nobody else can create."""
    return path.parent == Path("/")


def why_path_untrusted(folder: Path) -> str | None:
    """Why a folder, whose path has no symbolic links, or one of its parents can't be trusted: who can rename a folder can replace
    everything below it.

    In a sticky folder (/tmp) nobody can rename another user's files.
    """
    above = (path for path in folder.parents if not _is_sticky(path))
    return next(filter(None, map(why_untrusted, (folder, *above))), None)


def _is_sticky(folder: Path) -> bool:
    """Whether a folder is sticky; False also if it doesn't exist or can't be examined."""
    try:
        return bool(folder.stat().st_mode & stat.S_ISVTX)
    except (FileNotFoundError, PermissionError):
        return False


def _whose(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "a symbolic link"
    if _is_unknown(status.st_uid):
        return "of a user who isn't known in this user namespace"
    with suppress(KeyError):
        return f"{pwd.getpwuid(status.st_uid).pw_name}'s"
    return f"user {status.st_uid}'s"

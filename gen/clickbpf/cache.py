"""The cache of compiled files: each is named by a hash of everything that it is made from.

When the cache grows too large, the least recently used files are removed; processes that use one aren't affected. The files are loaded
into this process and into the kernel. So nobody else may write them, and a folder that others can write to is refused.
"""

import errno
import hashlib
import math
import os
import pwd
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from clickbpf import private
from clickbpf.errors import ClickError

#: The size limit in bytes, and the seconds between two checks of the size.
TOO_MANY, CHECK_INTERVAL = 1 << 30, 3600
#: A file whose modification time is that of the last check.
_CHECKED = ".looked"
#: Prefix of folders in which files are being made, and the seconds after which such a folder is taken for abandoned.
_NEW, _ABANDONED = ".new-", 24 * 3600
#: Folders with files from objects, the last added first (take_from).
_carried: list[Path] = []
_HINT = "set CLICKBPF_CACHE to a directory that you, and only you, can write to"
#: The hint where another cache directory would not help.
_HINTS = {
    errno.ENOSPC: "free some space, or set CLICKBPF_CACHE to a directory on another disk",
    errno.EMFILE: "raise the limit: ulimit -n 1024",
}


def cache_directory() -> Path:
    """$CLICKBPF_CACHE, or `clickbpf` in the user's cache directory (XDG base directories). The path is absolute and without symbolic links,
    so that no program takes it for an option.

    With `sudo`, the environment may name the caller's directories: then it is in the home of the user that runs this process.
    """
    own = os.environ.get("CLICKBPF_CACHE")
    if own:
        return Path(own).resolve()
    base = os.environ.get("XDG_CACHE_HOME")
    directory = ((Path(base) if base else Path.home() / ".cache") / "clickbpf").resolve()
    if private.why_path_untrusted(directory):
        with suppress(KeyError):
            return Path(pwd.getpwuid(os.geteuid()).pw_dir, ".cache", "clickbpf").resolve()
    return directory


def content_hash(parts: Iterable[str | bytes]) -> str:
    """A hash of `parts`, for a file's name. The parts' lengths are hashed, too, so that different splits give different names."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        digest.update(f"{len(data)}:".encode() + data)
    return digest.hexdigest()[:32]


def cached(name: str, make: Callable[[Path], None]) -> Path:
    """The cached file `name`; if there is none, `make(path)` writes it first.

    `make` writes a temporary file, which is renamed once it is complete; so two processes may make the same file at the same time.
    ClickError if the cache can't be written, or could be written by others.
    """
    directory = cache_directory()
    path = directory / name
    if _is_usable(path):
        return path
    try:
        for folder in (directory, path.parent):
            if not folder.exists():
                with suppress(FileExistsError):
                    private.make_folder(folder)
        _refuse_untrusted(path.parent)  # again: somebody else may have created it meanwhile
        _forget_oldest(directory)
        with tempfile.TemporaryDirectory(dir=directory, prefix=_NEW) as new:
            made = Path(new) / name
            made.parent.mkdir(parents=True, exist_ok=True)
            make(made)
            made.chmod(private.FILE)
            os.replace(made, path)
    except OSError as error:
        message = f"cannot write the cache of compiled files in {directory}: {error.strerror}"
        raise ClickError(message, hint=_HINTS.get(error.errno, _HINT)) from None
    return path


def _is_usable(path: Path) -> bool:
    """Whether the file is there and trusted; if so, its time of use is updated."""
    _refuse_untrusted(path.parent)
    if not _is_whole(path) or private.why_untrusted(path):
        return False
    with suppress(OSError):  # the file may be root's
        os.utime(path)
    return True


def compiled(stem: str, suffix: str, compiler: Callable[[], str], make: Callable[[Path], None]) -> Path:
    """The cached file made by a compiler; if there is none, `make(path)` writes it first.

    `stem` names it by all that it is made from; `compiler` returns the compiler's version, or raises ClickError if there is no compiler.
    Another compiler's file is used if a loaded object carries it (`take_from`), or if there is no compiler.
    """
    if found := _carried_file(stem, suffix):
        return found
    try:
        name = _name(stem, suffix, compiler)
    except ClickError:
        if found := _any(cache_directory(), stem, suffix):
            return found
        raise
    return cached(name, make)


def found(stem: str, suffix: str, compiler: Callable[[], str]) -> Path | None:
    """The file that compiled() would return without making it, or None."""
    if found := _carried_file(stem, suffix):
        return found
    try:
        path = cache_directory() / _name(stem, suffix, compiler)
    except ClickError:
        return _any(cache_directory(), stem, suffix)
    return path if _is_usable(path) else None


def _name(stem: str, suffix: str, compiler: Callable[[], str]) -> str:
    return f"{stem}-{content_hash((compiler(),))[:8]}{suffix}"


def _carried_file(stem: str, suffix: str) -> Path | None:
    """The file from a loaded object, or None."""
    return next(filter(None, (_any(folder, stem, suffix) for folder in _carried)), None)


def _any(folder: Path, stem: str, suffix: str) -> Path | None:
    paths = (path for path in sorted(folder.glob(f"{stem}-*{suffix}")) if not private.why_untrusted(path))
    return None if private.why_path_untrusted((folder / stem).parent) else next(paths, None)


def take_from(folder: Path) -> None:
    """Prefer compiled files from this folder, whose files a router's object carried. A service calls this again for each router that
    replaces its own, with a folder of the same name."""
    if folder in _carried:
        _carried.remove(folder)
    _carried.insert(0, folder)


def _is_whole(path: Path) -> bool:
    """Whether the file exists and isn't empty: some file systems leave new files empty after a power failure."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def _refuse_untrusted(folder: Path) -> None:
    reason = private.why_path_untrusted(folder)
    if reason:
        raise ClickError(f"compiled files can't be taken from {folder}: {reason}", hint=_HINT)


def _forget_oldest(directory: Path) -> None:
    """Unless that was done lately: remove what killed processes have left and, if the cache exceeds its limit, the least recently used
    files until it has half of that size."""
    checked = directory / _CHECKED
    if _age(checked) < CHECK_INTERVAL:
        return
    checked.touch(private.FILE)
    for new in directory.glob(f"{_NEW}*"):
        if _age(new) > _ABANDONED:
            shutil.rmtree(new, ignore_errors=True)
    files = sorted(_files(directory))
    total = sum(size for _, size, _ in files)
    if total <= TOO_MANY:
        return
    for _, size, path in files:
        if total <= TOO_MANY // 2:
            break
        total -= size
        path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """Seconds since the last change; infinite if there is no such file."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return math.inf


def _files(directory: Path) -> Iterator[tuple[float, int, Path]]:
    """(time of last use, size, path) of all files below the directory, except those that are being made. Other processes may remove files
    meanwhile."""
    for path in directory.iterdir():
        with suppress(FileNotFoundError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                yield status.st_mtime, status.st_size, path
            elif stat.S_ISDIR(status.st_mode) and not path.name.startswith(_NEW):
                yield from _files(path)

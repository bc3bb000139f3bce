"""The tree of handlers as a FUSE file system: this process answers the kernel's requests."""

import errno
import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from mfusepy import FUSE, FuseOSError, Operations, fuse_get_context

from clickbpf.errors import ClickError
from clickbpf.observe.tree import File, Folder, Tree

#: Results of libfuse's fuse_main that mean nothing was mounted; after mounting, it returns others.
NEVER_BEGAN = range(1, 7)
#: The longest text that can be written to a handler, in bytes: room for a configuration with a million routes.
MOST = 1 << 26


@dataclass
class Opened:
    """An open file: the handler's value at open, the process that opened it, the bytes written since, and whether the handler still has to
    be called with these."""

    file: File
    content: bytes
    process: int
    written: bytearray = field(default_factory=bytearray)
    is_due: bool = False


class Handlers(Operations):
    """The file system's operations. FUSE calls them in several threads, so that a slow handler doesn't block other files."""

    def __init__(self, tree: Tree):
        self._tree = tree
        self._opened: dict[int, Opened] = {}
        self._numbers = count(1)
        self._since = time.time_ns()

    use_ns = True

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        with _reported():
            found = self._tree.look(path)
        mode = stat.S_IFDIR | 0o500 if isinstance(found, Folder) else stat.S_IFREG | 0o400 * found.readable | 0o200 * found.writable
        times = {name: self._since for name in ("st_atime", "st_mtime", "st_ctime")}
        return {"st_mode": mode, "st_nlink": 1, "st_size": 0, "st_uid": os.geteuid(), "st_gid": os.getegid(), **times}

    def readdir(self, path: str, fh: int) -> list[str]:
        with _reported():
            found = self._tree.look(path)
        if isinstance(found, File):
            raise FuseOSError(errno.ENOTDIR)
        return [".", "..", *found.names]

    def open(self, path: str, flags: int) -> int:
        """Open a file; a read handler is called now, not at the first read."""
        with _reported():
            file = self._tree.look(path)
            if isinstance(file, Folder):
                raise FuseOSError(errno.EISDIR)
            access = flags & os.O_ACCMODE
            if (access != os.O_WRONLY and not file.readable) or (access != os.O_RDONLY and not file.writable):
                raise FuseOSError(errno.EACCES)
            number = next(self._numbers)
            self._opened[number] = Opened(file, b"" if access == os.O_WRONLY else self._tree.read(file), _caller())
        return number

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        return self._opened[fh].content[offset : offset + size]

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        opened = self._opened[fh]
        if offset > len(opened.written) or offset + len(data) > MOST:
            raise FuseOSError(errno.EFBIG)
        opened.written[offset : offset + len(data)] = data
        opened.is_due = True
        return len(data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> None:
        """Accept a truncation to 0, as by a shell's `>`: every write replaces the whole value."""
        if length:
            raise FuseOSError(errno.EINVAL)

    def flush(self, path: str, fh: int) -> None:
        """Handle a close(). If the process that opened the file closes it, call the handler with all that was written; close() reports its
        failure. Other processes have only inherited the descriptor, such as a shell's commands that write one after another."""
        opened = self._opened[fh]
        if opened.process == _caller():
            self._call(opened)

    def release(self, path: str, fh: int) -> None:
        """Handle the last close, perhaps by a process that inherited the descriptor and wrote after the opener had closed it."""
        self._call(self._opened.pop(fh))

    def _call(self, opened: Opened) -> None:
        if not opened.is_due:
            return
        opened.is_due = False
        with _reported():
            self._tree.write(opened.file, bytes(opened.written))


def _caller() -> int:
    """The process behind the current request (FUSE gives one of its threads); 0 if it is in an invisible PID namespace."""
    thread = fuse_get_context()[2]
    with suppress(OSError):
        status = Path(f"/proc/{thread}/status").read_text()
        return int(status.partition("\nTgid:")[2].split()[0])
    return 0


@contextmanager
def _reported() -> Iterator[None]:
    """Turn errors into error numbers for the kernel; print a handler's message, which FUSE can't pass on."""
    try:
        yield
    except FuseOSError:
        raise
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            print(f"clickbpf: {error.strerror}", file=sys.stderr, flush=True)
        raise FuseOSError(error.errno) from None


def mount(router: str, folder: Path) -> None:
    """Mount a router's tree for this user until it is unmounted or a signal ends this process. ClickError if that fails."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # FUSE handles signals that have no handler
    named = {"fsname": f"clickbpf-{router}", "subtype": "clickbpf"}
    try:
        FUSE(Handlers(Tree(router)), os.path.abspath(folder), foreground=True, direct_io=True, **named)
    except RuntimeError as error:
        if error.args[0] not in NEVER_BEGAN:  # it was ended by a signal
            return
        hint = "users other than root need fusermount3: apt-get install fuse3"
        raise ClickError(f"the handlers of {router} can't be mounted at {folder}", hint=hint) from None

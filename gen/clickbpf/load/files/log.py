"""A router's log: lines with timestamps in a file of limited size, and a second file with older lines."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from clickbpf import private

#: The size in bytes at which a file becomes the older one. So the log has at most twice this size.
LIMIT = 1 << 20
#: Seconds between two checks for new lines.
GLANCE = 0.2


def older(path: Path) -> Path:
    return path.with_name(path.name + ".1")


class Log:
    """Writes to the log, if it exists: unloading a router removes its log."""

    def __init__(self, path: Path, limit: int = LIMIT):
        self._path, self._limit = path, limit
        self._at_begin = True
        #: A descriptor of the file to which the last line was written.
        self._last: int | None = None

    def write(self, text: bytes) -> None:
        """Write output, which may consist of incomplete lines, with the present time."""
        if not text:
            return
        stamp = datetime.now().astimezone().isoformat(timespec="milliseconds").encode() + b" "
        whole = text.endswith(b"\n")
        body = text[:-1] if whole else text
        stamped = (stamp if self._at_begin else b"") + body.replace(b"\n", b"\n" + stamp) + (b"\n" if whole else b"")
        self._at_begin = whole
        with suppress(OSError):
            self._append(stamped)

    def say(self, line: str) -> None:
        self.write((b"" if self._at_begin else b"\n") + line.encode() + b"\n")

    def _append(self, text: bytes) -> None:
        """Append to the file. It is opened anew each time, since the folder may have been renamed; while the folder is being renamed, or
        after it was removed, the last file is used. No new file is created."""
        with suppress(FileNotFoundError):
            opened = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            if self._last is not None:
                os.close(self._last)
            self._last = opened
        if self._last is None:
            return
        os.write(self._last, text)
        if os.fstat(self._last).st_size >= self._limit and self._path.exists():
            os.replace(self._path, older(self._path))
            os.close(private.open_file(self._path, os.O_WRONLY))


def lines(path: Path) -> Iterator[str]:
    """The lines of the log."""
    for file in (older(path), path):
        with suppress(FileNotFoundError):
            yield from file.read_text(errors="replace").splitlines(keepends=True)


def following(path: Path) -> Iterator[str]:
    """The lines of the log, and then new ones as they are added, until the log is removed."""
    with suppress(FileNotFoundError):
        yield from older(path).read_text(errors="replace").splitlines(keepends=True)
    with suppress(FileNotFoundError):
        while True:
            with open(path, errors="replace") as opened:
                while os.path.samestat(path.stat(), os.fstat(opened.fileno())):
                    yield from opened
                    time.sleep(GLANCE)
                yield from opened

"""A router's log: lines with their time in a file of bounded size, and a second file with the older lines."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from clickbpf import private

#: Bytes after which a file becomes the older one. There are two files, so at most twice as many bytes are kept.
LIMIT = 1 << 20
#: Seconds between two checks whether there is more.
GLANCE = 0.2


def older(path: Path) -> Path:
    return path.with_name(path.name + ".1")


class Log:
    """For writing. Works whether or not the file exists: a router that is removed takes its log along."""

    def __init__(self, path: Path, limit: int = LIMIT):
        self._path, self._limit = path, limit
        self._at_begin = True
        #: A descriptor of the file that the last line went to.
        self._last: int | None = None

    def write(self, text: bytes) -> None:
        """Write what was printed now; lines may come in parts."""
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
        """Opened anew each time, since the folder may have been renamed. While it is being renamed, or after it was removed, the
        file of the last time is written to; no new one is made."""
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
    """What is in the log."""
    for file in (older(path), path):
        with suppress(FileNotFoundError):
            yield from file.read_text(errors="replace").splitlines(keepends=True)


def following(path: Path) -> Iterator[str]:
    """The log's content, and then what is added, until the log is removed."""
    with suppress(FileNotFoundError):
        yield from older(path).read_text(errors="replace").splitlines(keepends=True)
    with suppress(FileNotFoundError):
        while True:
            with open(path, errors="replace") as opened:
                while os.path.samestat(path.stat(), os.fstat(opened.fileno())):
                    yield from opened
                    time.sleep(GLANCE)
                yield from opened

"""Saving texts from the page into the files that the command line names, and only into these."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from clickbpf.errors import ClickError
from clickbpf.load.files import places


def save(path: Path, text: str, version: str) -> str:
    """Replace a file's content by a text; returns the file's new version. ClickError if the file no longer has the version given,
    or can't be written. The file keeps its owner, its mode and its line ends, and is replaced atomically."""
    with _explained(path), _folder(path) as folder:
        before = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(before.st_mode) or places.version(before) != version:
            raise ClickError(f"{path} has been changed meanwhile", hint="copy your text, and load the page again")
        name = f".{path.name[:200]}.{secrets.token_hex(8)}"
        try:
            _write(name, folder, _with_ends_of(_content(path.name, folder), text).encode("utf-8", "surrogateescape"), before)
            os.replace(name, path.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
            raise
        return places.version(os.stat(path.name, dir_fd=folder, follow_symlinks=False))


def _content(name: str, folder: int) -> str:
    with open(os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder), "rb") as file:
        return file.read().decode("utf-8", "surrogateescape")


def _with_ends_of(before: str, text: str) -> str:
    """A text with the line ends of another: browsers' fields give each line the end of Unix. Lines at the beginning and at the end that are
    the same in both keep theirs, the others get that of the first line."""
    old, new = _lines(before), _lines(text)
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at][0] != new[at][0]), most)
    last = next((at for at in range(most - first) if old[-1 - at][0] != new[-1 - at][0]), most - first)
    ends = [end for _, end in (*old[:first], *[old[0]] * (len(new) - first - last), *old[len(old) - last :])]
    return "".join(line + (end and (kept or old[0][1] or end)) for (line, end), kept in zip(new, ends, strict=True))


def _lines(text: str) -> list[tuple[str, str]]:
    """Each line with its end; the last one has none."""
    parts = re.split(r"(\r\n|\r|\n)", text)
    return list(zip(parts[::2], [*parts[1::2], ""], strict=True))


def _write(name: str, folder: int, content: bytes, like: os.stat_result) -> None:
    """A new file with the owner and mode of another."""
    with open(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder), "wb") as file:
        if (like.st_uid, like.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(file.fileno(), like.st_uid, like.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(like.st_mode))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _folder(path: Path) -> Iterator[int]:
    """A descriptor of the folder that the file is in, wherever its path leads later."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ClickError(f"cannot write '{path}': {error.strerror}") from None

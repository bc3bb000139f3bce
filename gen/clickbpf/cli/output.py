"""How commands print: JSON for programs, columns for people."""

import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any

from clickbpf.errors import ClickError

#: What Python's strings have (surrogateescape) for bytes that aren't UTF-8.
_BYTES = re.compile("[\udc80-\udcff]")
#: Seconds for which nobody wonders what a command does.
MOMENT = 1.0


def print_json(value: Any) -> None:
    print(_json(value, 2))


def print_line(value: Any) -> None:
    """Print JSON on one line, for programs that read values as they come."""
    print(_json(value), flush=True)


def _json(value: Any, indent: int | None = None) -> str:
    """JSON in UTF-8; bytes of a configuration that aren't UTF-8 are escaped, as the surrogates that Python's strings have for them."""
    return _BYTES.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, indent=indent, ensure_ascii=False))


def print_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows in columns as wide as their longest value; nothing if there are no rows."""
    cells = [[str(cell) for cell in row] for row in rows]
    if not cells:
        return
    cells.insert(0, [head.upper() for head in heads])
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def spell_time(seconds: float | None) -> str:
    """A duration in its two largest units: 3d 4h, 5m 6s."""
    if seconds is None:
        return "-"
    rest, parts = int(seconds), []
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        number, rest = divmod(rest, size)
        if number or parts or size == 1:
            parts.append(f"{number}{unit}")
    return " ".join(parts[:2])


def write_text(text: str, path: str | None) -> None:
    """Write to a file; None and "-" are standard output."""
    write_bytes(text.encode("utf-8", "surrogateescape"), path)


def write_bytes(content: bytes, path: str | None) -> None:
    if path in (None, "-"):
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise ClickError(f"cannot write '{path}': {error.strerror}") from None


def read_bytes(path: str) -> bytes:
    """The content of a file; "-" is standard input."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise ClickError(f"cannot read '{path}': {error.strerror}") from None


def read_text(path: str) -> str:
    """The same as text. Bytes that aren't UTF-8 are those of Python's strings (surrogateescape)."""
    return read_bytes(path).decode("utf-8", "surrogateescape")


@contextmanager
def below_title(name: str, titled: bool) -> Iterator[None]:
    """With `titled`, print a title before and an empty line after what is printed inside, as Click does for several handlers."""
    if not titled:
        yield
        return
    write_text(f"{name}:\n", None)
    try:
        yield
    finally:
        write_text("\n", None)


def print_value(value: str) -> None:
    """Print a handler's value, and end its last line."""
    write_text(value if value.endswith("\n") or not value else value + "\n", None)


def say(text: str) -> None:
    """Report progress, apart from the command's output."""
    print(text, file=sys.stderr)


@contextmanager
def announced(text: str) -> Iterator[None]:
    """Say what is going on in this context, if that takes longer than a moment."""
    timer = Timer(MOMENT, say, (text,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def pip(extra: str) -> str:
    """The command that installs the packages of one of clickbpf's extras into this Python environment."""
    return f"{shlex.quote(sys.executable)} -m pip install 'clickbpf[{extra}]'"

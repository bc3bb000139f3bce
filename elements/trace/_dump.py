"""What reading and writing dumps share: files, and the names of link types."""

from __future__ import annotations

import os
import subprocess

from clickbpf.args.error import ArgError

#: Click's names of link types and libpcap's numbers for them (DLT_).
LINK_TYPES = {
    "ETHER": 1,
    "IP": 12,
    "FDDI": 10,
    "ATM": 11,
    "802_11": 105,
    "SLL": 113,
    "AIRONET": 120,
    "HDLC": 104,
    "PPP_HDLC": 50,
    "PPP": 9,
    "SUNATM": 123,
    "PRISM": 119,
    "NULL": 0,
}

#: First bytes of compressed files, and the programs that expand them.
_EXPANDERS = {b"\x1f\x8b": "zcat", b"BZ": "bzcat"}


def link_name(number: int) -> str:
    return next((name for name, known in LINK_TYPES.items() if known == number), str(number))


def open_for_reading(name: str) -> int:
    """A descriptor of the file's contents, expanded if they are compressed; "-" is standard input. Raises ArgError."""
    if name == "-":
        return os.dup(0)
    try:
        with open(name, "rb", buffering=0) as file:
            program = _EXPANDERS.get(file.read(2))
            if program is None:
                return os.open(name, os.O_RDONLY | os.O_CLOEXEC)
            file.seek(0)
            expanding = subprocess.Popen([program], stdin=file, stdout=subprocess.PIPE)
        fd = os.dup(expanding.stdout.fileno())
        expanding.stdout.close()
        return fd
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}", argument="FILENAME") from None


def open_for_writing(name: str) -> int:
    """A descriptor of a new, empty file; "-" is standard output. Raises ArgError."""
    if name == "-":
        return os.dup(1)
    try:
        return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}", argument="FILENAME") from None

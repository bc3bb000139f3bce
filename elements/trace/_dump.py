"""What reading and writing dumps share: files, and the names of link types."""

from __future__ import annotations

import os
import subprocess

from clickbpf.args import NOWHERE, Integer, Type
from clickbpf.args.context import Context
from clickbpf.args.error import ArgError
from clickbpf.args.types.base import did_you_mean

#: Click's names of link types and libpcap's numbers for them (DLT_); of several names the first is told.
LINK_TYPES = {
    "ETHER": 1, "IP": 12, "FDDI": 10, "ATM": 11, "RFC1483": 11, "ATM_RFC1483": 11, "802_11": 105, "802.11": 105,
    "802_11_RADIO": 127, "802.11_RADIO": 127, "SLL": 113, "AIRONET": 120, "HDLC": 104, "PPP_HDLC": 50, "PPP": 9, "SUNATM": 123,
    "PRISM": 119, "NULL": 0,
}  # fmt: skip

#: First bytes of compressed files, and the programs that expand them. What gzip has compressed is read by zlib.
_EXPANDERS = {b"\x1f\x9d": "zcat", b"BZ": "bzcat"}
#: Ends of names, and the programs that compress; again zlib does gzip's.
_COMPRESSORS = {".Z": "compress", ".bz2": "bzip2"}
GZIP = ".gz"


class LinkType(Type):
    """A link type by its name, or by its number as #123; value int."""

    c_type = "int"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        if text.startswith("#"):
            return Integer(31).parse(text[1:])
        if text not in LINK_TYPES:
            raise ArgError(f"bad encapsulation type '{text}'", did_you_mean(text.upper(), LINK_TYPES))
        return LINK_TYPES[text]

    def c_value(self, value: int) -> str:
        return str(value)

    def unparse(self, value: int) -> str:
        return next((name for name, number in LINK_TYPES.items() if number == value), f"#{value}")

    def describe(self) -> str:
        return f"a link type: {', '.join(LINK_TYPES)}, or a number as #123"


def open_for_reading(name: str) -> int:
    """A descriptor of the file; "-" is standard input. Raises ArgError.

    It gives the contents expanded, but for those that zlib expands (userspace/stream.h).
    """
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


class Compressor:
    """The program that compresses what is written to `fd`, if the file's name asks for one."""

    def __init__(self, name: str, file: int):
        program = _COMPRESSORS.get(os.path.splitext(name)[1])
        self._process: subprocess.Popen | None = None
        self.fd = file
        if program is None:
            return
        try:
            self._process = subprocess.Popen([program, "-c"], stdin=subprocess.PIPE, stdout=file)
        except OSError as error:
            raise ArgError(f"{name}: {program}: {error.strerror}", argument="FILENAME") from None
        finally:
            os.close(file)
        self.fd = os.dup(self._process.stdin.fileno())
        self._process.stdin.close()

    def wait(self) -> None:
        """Once nothing is written any more: until all is in the file."""
        if self._process is not None:
            self._process.wait()

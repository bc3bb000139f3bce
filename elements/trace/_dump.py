"""The common part of reading and writing dumps: files, and the names of link types."""

import os
import stat
import subprocess

from clickbpf.declare import NOWHERE, ArgError, Context, Integer, Type, Word, did_you_mean

#: Click's names of link types, and libpcap's numbers (DLT_); of several names, the first is shown.
LINK_TYPES = {
    "ETHER": 1, "IP": 12, "FDDI": 10, "ATM": 11, "RFC1483": 11, "ATM_RFC1483": 11, "802_11": 105, "802.11": 105,
    "802_11_RADIO": 127, "802.11_RADIO": 127, "SLL": 113, "AIRONET": 120, "HDLC": 104, "PPP_HDLC": 50, "PPP": 9, "SUNATM": 123,
    "PRISM": 119, "NULL": 0,
}  # fmt: skip

#: Suffixes of file names, and the formats to write (enum stream_format, userspace/stream.h).
_FORMATS = {".gz": 1, ".bz2": 2, ".xz": 3}
#: The first bytes of these formats.
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
#: compress(1)'s format, without a library: first bytes, suffix, and the programs.
_LZW, _LZW_SUFFIX, _EXPAND, _COMPRESS = b"\x1f\x9d", ".Z", "zcat", "compress"


class LinkType(Type):
    """A link type by its name, or by its number as #123; value int."""

    c_type = "int"

    def parse(self, text: str, context: Context = NOWHERE) -> int:
        word = Word().parse(text, context)
        if word.startswith("#"):
            return Integer(31).parse(word[1:])
        if word not in LINK_TYPES:
            raise ArgError(f"bad encapsulation type '{word}'", did_you_mean(word.upper(), LINK_TYPES))
        return LINK_TYPES[word]

    def c_value(self, value: int) -> str:
        return str(value)

    def unparse(self, value: int) -> str:
        return next((name for name, number in LINK_TYPES.items() if number == value), f"#{value}")

    def describe(self) -> str:
        return f"a link type: {', '.join(LINK_TYPES)}, or a number as #123"


def open_for_reading(name: str) -> int:
    """A descriptor for the file's content; "-" is standard input.

    Raises ArgError. Formats that the runtime expands (userspace/stream.h) aren't expanded here.
    """
    if name == "-":
        return os.dup(0)
    try:
        with open(name, "rb", buffering=0) as file:
            if file.read(2) != _LZW:
                return os.open(name, os.O_RDONLY | os.O_CLOEXEC)
            file.seek(0)
            expanding = subprocess.Popen([_EXPAND], stdin=file, stdout=subprocess.PIPE)
        fd = os.dup(expanding.stdout.fileno())
        expanding.stdout.close()
        return fd
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}", argument="FILENAME") from None


def is_plain(fd: int) -> bool:
    """Whether an open file has the size of its content: it is neither compressed nor a pipe."""
    return stat.S_ISREG(os.fstat(fd).st_mode) and not os.pread(fd, 6, 0).startswith(_COMPRESSED)


def format_of(name: str) -> int:
    """The format, of userspace/stream.h, to write to a file of this name."""
    return _FORMATS.get(os.path.splitext(name)[1], 0)


def open_for_writing(name: str) -> int:
    """A descriptor of a file, which is created if it doesn't exist; "-" is standard output. Raises ArgError.

    What is in the file stays until `empty()`, so that a router that can't start loses nothing; but compress(1) gets an empty file.
    """
    if name == "-":
        return os.dup(1)
    try:
        emptied = os.O_TRUNC if name.endswith(_LZW_SUFFIX) else 0
        return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | emptied, 0o666)
    except OSError as error:
        raise ArgError(f"{name}: {error.strerror}", argument="FILENAME") from None


def empty(name: str, fd: int) -> None:
    """Remove what was in a file before."""
    if name != "-" and stat.S_ISREG(os.fstat(fd).st_mode):
        os.ftruncate(fd, 0)


class Compressor:
    """A process of compress(1) that compresses data written to `fd`, if the file's name has its suffix."""

    def __init__(self, name: str, file: int):
        self._process: subprocess.Popen | None = None
        self.fd = file
        if not name.endswith(_LZW_SUFFIX):
            return
        try:
            self._process = subprocess.Popen([_COMPRESS, "-c"], stdin=subprocess.PIPE, stdout=file)
        except OSError as error:
            raise ArgError(f"{name}: {_COMPRESS}: {error.strerror}", argument="FILENAME") from None
        finally:
            os.close(file)
        self.fd = os.dup(self._process.stdin.fileno())
        self._process.stdin.close()

    def wait(self) -> None:
        """After the last write, wait until all data are in the file."""
        if self._process is not None:
            self._process.wait()

import bz2
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread

from clickbpf.declare import ArgError, Bool, Constants, Filename, IPAddress, IPPort, Keyword, Required, read_handler

from ..common._warning import warn
from ._dump import open_for_reading
from ._sampling import SAMPLE
from ._tcpdump import FIELDS, TCP, BadLine, Translator
from .fromipsummarydump import FromIPSummaryDump

#: First bytes of compressed files.
FORMATS: Mapping[bytes, Callable] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
LONGEST = max(map(len, FORMATS))


class FromTcpdump(FromIPSummaryDump):
    """makes packets from the lines that tcpdump prints

    Reads the output of `tcpdump -n -tt`, version 3, optionally compressed by gzip, bzip2 or xz, and emits IP packets as described
    by the lines. FILENAME `-` is the standard input, without decompression. (Files written by `tcpdump -w` contain more: use
    FromDump for these.)

        1018330170.887165 10.0.0.1.3153 > 10.0.0.2.21: S 5:5(0) win 5840 <mss 1460,sackOK> (DF) (ttl 64, id 5)
        1018330170.962703 10.0.0.2.21 > 10.0.0.1.3153: . 1:9(8) ack 1 win 100

    TCP headers have all the fields of a line; for UDP, a line has only ports and lengths; packets of other protocols are IP headers
    alone. Packets end after their headers, and the annotation EXTRA_LENGTH counts the missing bytes. Sequence numbers printed
    relative to the beginning of a connection get their original values. Fields missing from a line are zero, except for a TTL of 2.
    Empty lines and lines beginning with # are skipped, as are other lines that don't describe a packet; the first of these is
    reported.

    Example: FromTcpdump(trace.txt.gz, STOP true, CHECKSUM true) -> IPPrint -> Discard;
    """

    args = (
        Required("FILENAME", Filename()),
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver at the end"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, nothing is emitted until the handler `active` is written"),
        Keyword("ZERO", Bool(), True, "Boolean. Bytes not described by lines are zero; if false, they are undefined"),
        Keyword("CHECKSUM", Bool(), False, "Boolean. Packets have the length in their IP header, with correct checksums"),
        SAMPLE,
    )
    _position = 0

    def configure(self) -> None:
        self._fd: int | None = None
        self._default_fields = self._default_flow = self.cfg.data = None

    def constants(self) -> Constants:
        flags = {name: ("bool", "false") for name in ("timing", "multipacket", "allow_nonexistent")}
        return {**super().constants(), **flags, "proto": ("__u8", str(TCP))}

    filepos = read_handler(lambda self: str(self._position), text="the number of bytes read of the decompressed file")

    # -- reading ------------------------------------------------------------------------------------------------------

    def _open(self) -> int:
        """A pipe with tcpdump's output as a summary, translated while it is read."""
        lines = expanded(open_for_reading(self.cfg.filename), self.cfg.filename == "-")
        try:
            first = lines.readline()
        except (OSError, EOFError, lzma.LZMAError) as error:
            raise ArgError(f"{self.cfg.filename}: {error}", argument="FILENAME") from None
        if not first:
            raise ArgError(f"{self._file_name()}: empty file", argument="FILENAME")
        if not first[:1].isdigit():
            warn(self, f"{self._file_name()}: first line suspicious; is this a tcpdump output file?")
        from_here, to_there = os.pipe()
        Thread(target=self._translate, args=(first, lines, to_there), daemon=True).start()
        return from_here

    def _translate(self, line: bytes, lines: io.BufferedIOBase, out: int) -> None:
        """Write packets for the lines, until the file ends or the reader is gone."""
        translate, complained, number = Translator(self._address, self._port), False, 0
        with lines, suppress(BrokenPipeError), open(out, "w", encoding="ascii") as summary:
            summary.write(f"!data {' '.join(FIELDS)}\n")
            while line:
                number += 1
                self._position += len(line)
                try:
                    if translated := translate(line.decode("latin-1").strip()):
                        summary.write(f"{translated}\n")
                except BadLine:
                    if not complained:
                        sys.stderr.write(f"{self._file_name()}:{number}: packet parse error\n")
                    complained = True
                if self.cfg.filename == "-":
                    summary.flush()
                line = lines.readline()

    def _address(self, text: str) -> str:
        return str(self._parsed(IPAddress(), text))

    def _port(self, text: str, protocol: int) -> int:
        return self._parsed(IPPort(protocol), text)

    def _parsed(self, type_, text: str):
        try:
            return type_.parse(text, self.context)
        except ArgError:
            raise BadLine from None


def expanded(fd: int, as_it_is: bool) -> io.BufferedIOBase:
    """The bytes of a file, expanded if it is compressed."""
    file = io.BufferedReader(io.FileIO(fd))
    if as_it_is:
        return file
    start = file.peek(LONGEST)[:LONGEST]
    unpack = next((unpack for magic, unpack in FORMATS.items() if start.startswith(magic)), None)
    return unpack(file, "rb") if unpack else file

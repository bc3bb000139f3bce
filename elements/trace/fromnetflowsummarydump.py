import bz2
import gzip
import io
import ipaddress
import lzma
import os
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from clickbpf.declare import ArgError, Constants, Keyword, Required, Word, read_handler

from ._dump import open_for_reading
from .fromipsummarydump import TCP, FromIPSummaryDump

UDP = 17
#: The header for FromIPSummaryDump: the fields that packets are made from.
HEADER = (
    "!IPSummaryDump 1.3\n!data ntimestamp first_ntimestamp count paint ip_src ip_dst ip_tos ip_ttl ip_proto ip_len sport dport tcp_flags\n"
)
#: The parts of a line, and how many of them must be valid.
PARTS, RIGHT = 15, 10
EXPANDED_BY = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
LINKS = ("input", "output", "both")


class FromNetFlowSummaryDump(FromIPSummaryDump):
    """makes packets from the lines of a file about NetFlow's flows

    Reads a file with a line for each flow, optionally compressed by gzip, bzip2 or xz, when the router starts, and emits a packet
    for each flow, beginning with an IP header. FILENAME `-` is the standard input. A line has 15 parts or more, separated by `|`.
    Counted from 0, these are 0: source, 1: destination, 3: input interface, 4: output interface, 5: packets, 6: bytes, 7: time of
    the flow's first packet in seconds since 1970, 8: time of its last packet, 9: source port, 10: destination port, 12: TCP flags,
    13: protocol, 14: type of service.

        192.0.2.1|198.51.100.7|0|14|16|5|10932|998006995|998006999|3917|80|0|18|6|0

    Empty lines, and lines beginning with `!` or `#`, are skipped. A line with fewer than ten valid parts is reported, and ends the
    file. A packet's timestamp is that of the flow's last packet, and its FIRST_TIMESTAMP annotation that of the first. The packet
    ends after its IP header and a header of TCP, UDP or ICMP; the annotation EXTRA_LENGTH counts the rest.

    (Click's element reports empty lines as bad, and ignores the type of service in lines of just 15 parts.)

    Arguments:

      - STOP, ACTIVE, ZERO, TIMING, CHECKSUM, SAMPLE: as in FromIPSummaryDump.
      - MULTIPACKET: emit all packets of the flow, at equal intervals.

    Example: FromNetFlowSummaryDump(flows.txt, STOP true) -> AggregateIP(ip dst/16) -> AggregateCounter -> Discard;
    """

    args = (
        Required("FILENAME", FromIPSummaryDump.args[0].type),
        Keyword("LINK", Word(), "input", "the interface for the PAINT annotation: `input`, `output`, or `both`, with the input interface "
            "in the upper four bits"),
        *(argument for argument in FromIPSummaryDump.args[1:] if argument.name in (
            "STOP", "ACTIVE", "ZERO", "TIMING", "CHECKSUM", "SAMPLE", "MULTIPACKET")),
    )  # fmt: skip

    def configure(self) -> None:
        self._default_fields = self._default_flow = None
        #: The ends of lines, in the file and as read.
        self._ends, self._read_to = array("Q", [0]), array("Q", [0])
        if self.cfg.link.lower() not in LINKS:
            raise ArgError("'LINK' should be 'input', 'output', or 'both'", argument="LINK")

    def constants(self) -> Constants:
        return {**super().constants(), "proto": ("__u8", str(TCP)), "allow_nonexistent": ("bool", "true")}

    def _file_name(self) -> str:
        return "<stdin>" if self.cfg.filename == "-" else self.cfg.filename

    def _open(self) -> int:
        """A file with the same packets in FromIPSummaryDump's format."""
        fd = os.memfd_create("flows")
        try:
            with open(fd, "w", closefd=False) as file, _expanded(open_for_reading(self.cfg.filename)) as lines:
                position = file.write(HEADER)
                for packet in self._packets(lines):
                    position += file.write(packet)
                    self._read_to.append(position)
        except (OSError, EOFError, lzma.LZMAError) as error:
            os.close(fd)
            raise ArgError(f"{self._file_name()}: {error}", argument="FILENAME") from None
        os.lseek(fd, 0, os.SEEK_SET)
        return fd

    def _packets(self, lines: Iterable[bytes]) -> Iterator[str]:
        end = 0
        for number, line in enumerate(lines, 1):
            end += len(line)
            text = line.decode("latin-1").strip("\r\n")
            if not text or text[0] in "!#":
                continue
            packet = _packet(text.split("|"), LINKS.index(self.cfg.link.lower()))
            if packet is None:
                sys.stderr.write(f"{self._file_name()}:{number}: bad format\n")
                return
            self._ends.append(end)
            yield packet

    @read_handler
    def filepos(self) -> str:
        return str(self._ends[bisect_right(self._read_to, self.state.reader.position) - 1])


def _expanded(fd: int) -> io.BufferedIOBase:
    file = open(fd, "rb")  # noqa: SIM115 – it is closed with what it is expanded by
    return EXPANDED_BY.get(file.peek(2)[:2], lambda plain: plain)(file)


def _packet(parts: list[str], link: int) -> str | None:
    """A line for FromIPSummaryDump; None if too few parts are valid."""
    if len(parts) < PARTS:
        return None
    number = {at: _number(parts[at]) for at in range(3, PARTS) if at != 11}
    addresses = [_address(text) for text in parts[:2]]
    paint = _paint(number, link)
    small = [number[at] if _fits(number[at], most) else None for at, most in ((9, 0xFFFF), (10, 0xFFFF), (12, 255), (13, 255), (14, 255))]
    right = [*addresses, paint, *(number[at] for at in range(5, 9)), *small]
    if sum(part is not None for part in right) < RIGHT:
        return None
    source, destination, paint, packets, size, first, last, sport, dport, flags, protocol, tos = (part or 0 for part in right)
    ports = f"{sport} {dport}" if protocol in (TCP, UDP) else "- -"
    flags = flags if protocol == TCP else "-"
    return (
        f"{last or first}.0 {first}.0 {packets or 1} {paint} {source or '0.0.0.0'} {destination or '0.0.0.0'} {tos} 0 {protocol} {size} "
        f"{ports} {flags}\n"
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and _fits(int(text), 0xFFFFFFFF) else None


def _fits(number: int | None, most: int) -> bool:
    return number is not None and number <= most


def _address(text: str) -> str | None:
    try:
        return str(ipaddress.IPv4Address(text))
    except ValueError:
        return None


def _paint(number: dict[int, int | None], link: int) -> int | None:
    """The annotation for the interfaces selected by LINK; large numbers don't overflow."""
    most = 15 if LINKS[link] == "both" else 255
    chosen = [number[at] for at, other in ((3, "output"), (4, "input")) if LINKS[link] != other]
    if None in chosen:
        return None
    paint = 0
    for interface in chosen:
        paint = paint << 4 | min(interface, most)
    return paint

import os

from clickbpf.declare import (
    ANEW, ArgError, Bool, Bytes, Constants, Filename, Held, Integer, Keyword, Optional, Private, Raw, c_string, ptr, read_handler,
    s32, s64, sum_handler, u8, u64,
)

from ._dump import open_for_reading
from ._fields import FIELDS, alias_table, field_names, field_table, name_table
from ._sampling import SAMPLE, SamplingElement

TCP = 6


class FromIPSummaryDump(SamplingElement, ports="0/1", processing="a/a"):
    """makes packets from the lines of a file that ToIPSummaryDump has written

    Synopsis: `FromIPSummaryDump(FILENAME [, KEYWORD ...])` or `FromIPSummaryDump(DATA text [, KEYWORD ...])`

    Reads a file with a line for each packet, optionally compressed by gzip, bzip2 or xz, and emits packets as described by the
    lines. FILENAME `-` is the standard input. Fields missing from a line are zero, except for the IP version, the header lengths, a
    TTL of 100, and the lengths. The packets begin with the IP header, or with an Ethernet header if the file has Ethernet
    addresses. Lines with IPv6 fields make IPv6 packets, without extension headers other than a fragment header; all other lines
    make IPv4 packets.

    A line beginning with `!data` names the fields of the following lines; the manual page of ToIPSummaryDump lists all fields.
    `!proto PROTO` is the protocol for lines without one, and `!flowid SRC SPORT DST DPORT [PROTO]` their addresses and ports.
    Binary records follow a line `!binary`. Other lines beginning with `!` or `#` are skipped.

    Example:

        FromIPSummaryDump(DATA "!data src sport dst dport proto
        192.0.2.1 1000 198.51.100.7 80 T
        192.0.2.1 1001 198.51.100.7 53 U", STOP true, CHECKSUM true) -> IPPrint -> Discard;
    """

    args = (
        Optional("FILENAME", Filename()),
        Keyword("STOP", Bool(), False, "Boolean. Stop the driver at the end"),
        Keyword("ACTIVE", Bool(), True, "Boolean. If false, nothing is emitted until the handler `active` is "
            "written", setting="reader", then="notify"),
        Keyword("ZERO", Bool(), True, "Boolean. Bytes not described by fields are zero; if false, they are undefined"),
        Keyword("TIMING", Bool(), False, "Boolean. Keep the intervals between the packets. Default is false: as fast as possible"),
        Keyword("CHECKSUM", Bool(), False, "Boolean. Packets have the length in their IP header, with correct checksums of IP, TCP, UDP, "
            "ICMP and ICMPv6. Default is false: they end after the bytes described by the line, and the annotation EXTRA_LENGTH counts "
            "the rest"),
        SAMPLE,
        Keyword("PROTO", Integer(8), TCP, "Integer, 0 to 255. As `!proto`. Default is 6, TCP"),
        Keyword("MULTIPACKET", Bool(), False, "Boolean. Emit as many packets as given by the line's field `count`"),
        Keyword("DEFAULT_CONTENTS", Raw()),
        Keyword("DEFAULT_FIELDS", Raw()),
        Keyword("DEFAULT_FLOWID", Raw()),
        Keyword("CONTENTS", Raw()),
        Keyword("FIELDS", Raw(), text="Names of fields. As `!data`. DEFAULT_FIELDS, CONTENTS and DEFAULT_CONTENTS are the same"),
        Keyword("FLOWID", Raw(), text="As `!flowid`. DEFAULT_FLOWID is the same"),
        Keyword("ALLOW_NONEXISTENT", Bool(), False, "Boolean. A file that doesn't exist, or is empty, is no error"),
        Keyword("DATA", Bytes(), text="String. The contents of the file, instead of FILENAME"),
        Keyword("BURST", Integer(32), text="Accepted, of no effect. An argument of FastClick"),
    )
    annotations = ("DST_IP", "DST_IP6", "PAINT", "AGGREGATE", "EXTRA_PACKETS", "EXTRA_LENGTH", "FIRST_TIMESTAMP")
    state_types = {
        "reader": Private(
            file=ptr, waiting=ptr, position=u64, offset=s64, last=u64, step=u64, share=u64, fd=s32,
            active=u8, ended=u8, timed=u8, shared=u8,
        )
    }  # fmt: skip
    holds = (Held("how far it has read", ANEW, ANEW),)

    def configure(self) -> None:
        cfg = self.cfg
        if cfg.data is not None and cfg.filename is not None:
            raise ArgError("FILENAME and DATA conflict", argument="DATA")
        if cfg.data is None and cfg.filename is None:
            raise ArgError("required argument missing", argument="FILENAME")
        fields = self._given("FIELDS", "CONTENTS", "DEFAULT_FIELDS", "DEFAULT_CONTENTS")
        self._default_fields = None if fields is None else " ".join(f'"{name}"' for name in field_names(fields))
        self._default_flow = self._given("FLOWID", "DEFAULT_FLOWID")

    def _given(self, *names: str) -> str | None:
        """The text of the first given one of these arguments."""
        return next((text for name in names if (text := getattr(self.cfg, name.lower())) is not None), None)

    def constants(self) -> Constants:
        return {
            "default_fields": ("const char *", _or_null(self._default_fields)),
            "default_flow": ("const char *", _or_null(self._default_flow)),
            "name": ("const char *", c_string(self._file_name())),
        }

    def _file_name(self) -> str:
        if self.cfg.data is not None:
            return "<data>"
        return "<stdin>" if self.cfg.filename == "-" else self.cfg.filename

    def code(self) -> str:
        return (
            '#include "summary/summary.h"\n'
            + field_table("fields", FIELDS, readable=True)
            + alias_table("aliases")
            + name_table("names", self.context)
        )

    def initialise(self) -> None:
        self.state.reader.active = self.cfg.active
        self.state.reader.fd = -1
        self._fd = self._open()
        if self._fd is not None:
            self.state.reader.fd = self._fd

    def _open(self) -> int | None:
        cfg = self.cfg
        if cfg.data is not None:
            fd = os.memfd_create("data")
            with open(fd, "wb", closefd=False) as file:
                file.write(cfg.data)
            os.lseek(fd, 0, os.SEEK_SET)
            return fd
        if cfg.allow_nonexistent and cfg.filename != "-" and not os.path.exists(cfg.filename):
            return None
        return open_for_reading(cfg.filename)

    encap = read_handler(lambda self: "IP")
    filename = read_handler(lambda self: self._file_name())

    @read_handler
    def filesize(self) -> str:
        try:
            return "-" if self.cfg.filename in (None, "-") else str(os.stat(self.cfg.filename).st_size)
        except OSError:
            return "-"

    filepos = sum_handler("reader", "position")



def _or_null(text: str | None) -> str:
    return "NULL" if text is None else c_string(text)

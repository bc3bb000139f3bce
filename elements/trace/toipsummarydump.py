import os
import socket
import time
from enum import IntEnum

from clickbpf.declare import (
    ALL, ANEW, USER, ArgError, Bool, Element, Filename, Held, Keyword, Look, Private, Raw, Required, String, control_handler,
    ptr, quote, s32, u8, u64,
)

from ._dump import empty, open_for_writing
from ._fields import field_names, field_table, find_field, manual, name_table, unknown

VERSION = "!IPSummaryDump 1.3"
#: The most lines for one packet.
MOST_LINES = 1 << 16
ETHER_HEADER = 14


class Headers(IntEnum):
    """Enough bytes for all fields: from the IP header on, including extension headers, and from the transport header on."""

    NETWORK, TRANSPORT = 240, 60


class ToIPSummaryDump(Element, ports="1/0-1", processing="a/h", runs=USER):
    __doc__ = f"""writes a line about each packet to a file
    same_form = True

    Writes one line for each packet to FILENAME, or to the standard output if that is `-`: the fields named by FIELDS, separated by
    spaces, with `-` for fields missing from the packet. FromIPSummaryDump reads such files. Packets go on by the output, if there
    is one. In a pull context without an output, the element pulls as long as there are packets.

    Fields (a space may replace an underscore in a name; `ip_` may be omitted where the name remains unique):

{manual()}

    Fields of TCP, UDP and the payload apply to IPv4 and IPv6 packets, after all extension headers. If the extension headers reach
    beyond 240 bytes, the packet needs a transport header annotation, as set by CheckIP6Header. An IPv6 packet has no fields of the
    IPv4 header except `ip_len`, the length of the packet; an IPv4 packet has no IPv6 fields. (Click doesn't know IPv6: in its lines
    an IPv6 packet has no fields of TCP and UDP either, the whole packet is the payload, and the packet is bad, `!bad IP version
    6`.)

    IP options are separated by semicolons: `rr{{10.0.0.1}}+5` is a recorded route with room for five more addresses;
    `ssrr{{1.0.0.1^1.0.0.3}}` and `lsrr` are source routes, with ^ at the pointer; `ts{{1,!45}}+2++3` are timestamps, one of them
    nonstandard, with room for two more, and three hosts that found no room; `ts.ip{{1.0.0.1=1}}` are timestamps with addresses, and
    `ts.preip{{1.0.0.1=1^1.0.0.2}}` timestamps with prescribed addresses. TCP options are `mss1400`, `wscale10`, `sackok`,
    `sack95-98`, `ts669063908:38382731`. Others are `98`, or `99=0:5:10` with data. `.` means none, `?` malformed ones.

    A binary record consists of its length in four bytes, these four included, and the fields as numbers in network byte order;
    options are preceded by one byte for their length. The length's top bit marks a text line in place of a record.

    Example:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader
            -> ToIPSummaryDump(flows.txt, FIELDS timestamp ip_src sport ip_dst dport ip_proto ip_len) -> Discard;
    """

    enums = (Headers,)
    operations = ("OPEN", "FLUSH")
    args = (
        Required("FILENAME", Filename()),
        Keyword("FIELDS", Raw(), text="Names of fields, separated by spaces, as listed below. Default is `timestamp ip_src`. CONTENTS is "
            "the same"),
        Keyword("CONTENTS", Raw()),
        Keyword("DATA", Raw()),
        Keyword("VERBOSE", Bool(), False, "Boolean. Also write the name of this host and the time into these lines"),
        Keyword("HEADER", Bool(), True, "Boolean. Begin with lines that state the format and the fields"),
        Keyword("BANNER", String(), "", "String. Write into these lines who made the file"),
        Keyword("MULTIPACKET", Bool(), False, "Boolean. Write a line for each of the packets that a packet represents (annotation "
            "EXTRA_PACKETS), but at most 65536: the last line represents all remaining packets, with their number as `count`"),
        Keyword("BAD_PACKETS", Bool(), False, "Boolean. Write a line `!bad MESSAGE` before the line of a packet with bad headers"),
        Keyword("CAREFUL_TRUNC", Bool(), True, "Boolean. A packet that is shorter than its IP header says is also bad"),
        Keyword("EXTRA_LENGTH", Bool(), True, "Boolean. Add the annotation EXTRA_LENGTH to lengths"),
        Keyword("BINARY", Bool(), False, "Boolean. Write binary records, which are shorter"),
    )
    annotations = ("EXTRA_LENGTH", "EXTRA_PACKETS")
    state_types = {"writer": Private(file=ptr, text=ptr, length=u64, room=u64, fd=s32, active=u8)}
    holds = (Held("the file that it writes", ANEW, ANEW),)
    derived = {
        "count": ("int", lambda self: len(self._fields)),
        "most_lines": ("__u32", lambda self: MOST_LINES),
        "looks_at_ip": ("bool", lambda self: self._looks_at_ip),
        "is_stdout": ("bool", lambda self: self.cfg.filename == "-"),
    }

    def configure(self) -> None:
        cfg = self.cfg
        self._fd: int | None = None
        argument = next((name for name in ("DATA", "CONTENTS", "FIELDS") if getattr(cfg, name.lower()) is not None), "FIELDS")
        text = getattr(cfg, argument.lower())
        names = field_names("timestamp ip_src" if text is None else text)
        found = [(name, find_field(name)) for name in names]
        mistakes = [unknown(name, argument) for name, field in found if field is None]
        self._fields = [field for _, field in found if field is not None]
        if cfg.binary:
            mistakes += [
                ArgError(f"cannot use field {name} with BINARY", argument=argument)
                for name, field in found
                if field is not None and not field.binary
            ]
        if not names:
            mistakes.append(ArgError("no contents specified", argument=argument))
        if mistakes:
            raise ExceptionGroup("fields", mistakes)

    def code(self) -> str:
        fields = list(dict.fromkeys(self._fields))
        columns = "".join(f"\t&SELF(fields)[{fields.index(field)}],\n" for field in self._fields)
        return (
            '#include "summary/summary.h"\n'
            + field_table("fields", fields, readable=False)
            + name_table("names", self.context)
            + f"static const struct summary_field *const SELF(columns)[] = {{\n{columns}}};\n"
        )

    def shown(self) -> Look:
        more = (*(["EXTRA_PACKETS"] if self.cfg.multipacket else ()), *(["EXTRA_LENGTH"] if self._looks_at_ip else ()))
        if any(field.looks_at_payload for field in self._fields):
            return Look(data=ALL, more_with=more)
        return Look(mac=ETHER_HEADER, network=Headers.NETWORK, transport=Headers.TRANSPORT, more_with=more)

    @property
    def _looks_at_ip(self) -> bool:
        return any(field.looks_at_ip for field in self._fields)

    def initialise(self) -> None:
        self.state.writer.fd = self._fd = open_for_writing(self.cfg.filename)

    def _header(self) -> str:
        cfg = self.cfg
        lines = [VERSION]
        if cfg.banner:
            lines.append(f"!creator {quote(cfg.banner)}")
        if cfg.verbose:
            now = time.time()
            lines += [f"!host {socket.gethostname()}", f"!runtime {now:.6f} ({time.ctime(now)})"]
        ntimestamp = "ntimestamp" if cfg.binary else "timestamp"
        names = (ntimestamp if field.name == "ntimestamp" else field.name for field in self._fields)
        lines.append(f"!data {' '.join(names)}")
        if cfg.binary:
            lines.append("!binary")
        return "".join(f"{line}\n" for line in lines)

    def finished(self) -> None:
        """Close the file if C has never opened it."""
        if self._fd is not None and self.state.writer.fd == self._fd:
            os.close(self._fd)
        self._fd = None

    def started(self) -> None:
        empty(self.cfg.filename, self._fd)
        if self.cfg.header:
            os.write(self._fd, self._header().encode("utf-8", "surrogateescape"))
        if self.runtime.control("OPEN"):
            raise ArgError(f"{self.cfg.filename}: {self.runtime.complaint()}", argument="FILENAME")

    flush = control_handler("FLUSH", text="flushes the buffer")

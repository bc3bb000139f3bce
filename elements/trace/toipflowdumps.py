import re
from collections.abc import Iterable, Sequence

from clickbpf.declare import (
    ANEW, SAME, USER, ArgError, Array, Bool, Constants, Filename, Held, Integer, Keyword, Look, Optional, Private, c_string,
    control_handler, ptr, sum_handler, u32, u64,
)

from ..common._listening import NOTIFIER, ListeningElement
from ._fields import Field, field_table, find_field, name_table

#: The letters of the escapes in file names, after flag, width and part.
ESCAPE = re.compile(r"%(?P<zeros>0?)(?P<width>[0-9]*)(?:\.(?P<part>[0-9]*))?(?P<kind>[nxXsSdDp%])")
#: Of enum stream_format (userspace/stream.h).
PLAIN, GZIP = range(2)
#: The most bytes of an IP header, and of an ICMP error with the quoted IP header and ports.
IP_HEADER, TRANSPORT_HEADER = 60, 8 + 60 + 20
#: The widest field of a name; the most flows ending at a time.
WIDEST, MOST_ENDS = 100, 4096


class ToIPFlowDumps(ListeningElement, ports="1/0-1", runs=USER):
    """writes lines about the packets of each flow to a file of its own

    Writes files like those of ToIPSummaryDump, one for each flow of TCP and UDP. Flows are distinguished by the aggregate
    annotation, and directions by PAINT, so an AggregateIPFlows must come first. Times and TCP sequence numbers are relative to
    those of the flow's first packets, given at the beginning of the file:

        !flowid 192.0.2.7 3153 198.51.100.4 21 T
        !data ntimestamp direction tcp_flags tcp_seq payload_len tcp_ack tcp_ntopt
        !firstseq > 2195313811
        !firstseq < 2484225252
        !firsttime 1018330170.887164999
        0.000000001 > S 0 0 0
        0.075538001 < SA 0 0 1

    A line ends after the packet's last field; ICMP errors are comments. Packets without a flow are left out. All packets go on by
    the output, if there is one. In a pull context without an output, the element pulls as long as there are packets.

    Up to 16 kB of lines are buffered for each flow; once 64 MB are buffered for all flows together, packets are written one by
    one.

    (Click's element writes IP identifications in the wrong byte order, counts the IP header among the bytes of UDP, and leaves
    `tcp_window` out of the line that names the fields.)

    Arguments:

      - NOTIFIER: an AggregateIPFlows to report the end of flows, so that their files can be written then; otherwise files are
        written when the router stops.

    Ports: one input, and an optional output.

    Example:

        FromDump(trace.pcap, STOP true, FORCE_IP true) -> f :: AggregateIPFlows
            -> ToIPFlowDumps(flows/%04n, NOTIFIER f) -> Discard;
    """

    args = (
        Optional("FILEPATTERN", Filename(), text="names of files, and of their folders. `%n` is the aggregate annotation, "
            "`%x` and `%X` are the same in hexadecimal; `%s` and `%d` are the addresses, `%S` and `%D` the ports, `%p` is T or U, and `%%` "
            "a %. `%.0n` to `%.3n` are bytes of the annotation, `%.4n` and `%.5n` its halves, `%.0s` to `%.3s` bytes of an address. `%06n` "
            "is padded to at least six characters by zeros, `%6n` by underscores. The argument may also be called OUTPUT_PATTERN. Default "
            "is `-`, the standard output"),
        Keyword("OUTPUT_PATTERN", Filename()),
        NOTIFIER,
        Keyword("ABSOLUTE_TIME", Bool(), False, "Boolean. Write absolute times and sequence numbers"),
        Keyword("ABSOLUTE_SEQ", Bool(), False, SAME),
        Keyword("BINARY", Bool(), False, "Boolean. Write binary records"),
        Keyword("ALL_TCP_OPT", Bool(), False, "Boolean. Write TCP options, without or with timestamps"),
        Keyword("TCP_OPT", Bool(), False, SAME),
        Keyword("TCP_WINDOW", Bool(), False, "Boolean. Write receive windows"),
        Keyword("GZIP", Bool(), False, "Boolean. Compress the files, and add `.gz` to their names"),
        Keyword("IP_ID", Bool(), False, "Boolean. Write IP identifications"),
        Keyword("MINCOUNT", Integer(32), 0, "Integer. Write no file for flows of fewer packets"),
    )
    annotations = ("EXTRA_LENGTH",)
    state_types = {
        "dumps": Private(dumps=ptr, flows=u64, others=u64, ending=u32, ended=u32),
        "ends": Array(MOST_ENDS, aggregate=u32, unused=u32, time=u64),
    }
    holds = (Held("files that it writes", ANEW, ANEW),)

    def configure(self) -> None:
        cfg = self.cfg
        self._pattern = cfg.output_pattern or cfg.filepattern or "-"
        self._parts = list(_parts(self._pattern + (".gz" if cfg.gzip and self._pattern != "-" else "")))

    def warnings(self) -> Iterable[ArgError]:
        if "%" not in self._pattern:
            yield ArgError("OUTPUT_PATTERN has no % escapes, so output files will get overwritten", argument="FILEPATTERN")

    def _columns(self) -> tuple[list[str], list[str], list[str], list[str]]:
        """Names of the fields for TCP and UDP, and the names in the files' headers."""
        cfg = self.cfg
        ip_id, window = ["ip_id"] * cfg.ip_id, ["tcp_window"] * cfg.tcp_window
        named = ["tcp_opt" if cfg.all_tcp_opt else "tcp_ntopt"]
        options = named if cfg.all_tcp_opt or cfg.tcp_opt else []
        if cfg.binary:
            tcp = ["ntimestamp", "tcp_seq", "payload_len", "tcp_ack", *ip_id, *window, "tcp_flags", "direction", *options]
            udp = ["ntimestamp", "payload_len", *ip_id, "direction"]
            return tcp, udp, tcp, udp
        tcp = ["direction", *ip_id, "tcp_flags", "tcp_seq", "payload_len", "tcp_ack", *window]
        udp = ["direction", *ip_id, "payload_len"]
        return [*tcp, *options], udp, ["ntimestamp", *tcp, *named], ["ntimestamp", *udp]

    def code(self) -> str:
        cfg = self.cfg
        tcp, udp, tcp_head, udp_head = self._columns()
        fields = [find_field(name) for name in dict.fromkeys([*tcp, *udp])]
        kinds = "".join(_columns_c(kind, names, fields) for kind, names in (("tcp", tcp), ("udp", udp)))
        flags = "".join(f"\t.{name} = {Bool().c_value(getattr(cfg, name))},\n" for name in ("absolute_time", "absolute_seq", "binary"))
        return (
            '#include "summary/flows.h"\n'
            + field_table("fields", fields, readable=False)
            + name_table("names", self.context)
            + f"static const struct flow_name SELF(name_parts)[] = {{\n{''.join(self._parts)}}};\n"
            + kinds
            + "static const struct flow_layout SELF(layout) = {\n"
            + "".join(_layout_c(kind, len(names), cfg.binary) for kind, names in (("tcp", tcp), ("udp", udp)))
            + f"\t.tcp_head = {c_string('!data ' + ' '.join(tcp_head))},\n\t.udp_head = {c_string('!data ' + ' '.join(udp_head))},\n"
            + f"\t.name = SELF(name_parts),\n\t.parts = {len(self._parts)},\n{flags}"
            + f"\t.format = {GZIP if cfg.gzip else PLAIN},\n\t.least = {cfg.mincount}U,\n}};\n"
        )

    def constants(self) -> Constants:
        return {**super().constants(), "most_ends": ("__u32", str(MOST_ENDS))}

    def shown(self) -> Look:
        return Look(network=IP_HEADER, transport=TRANSPORT_HEADER, more_with=("EXTRA_LENGTH",))

    clear = control_handler(text="ends all flows")

    left_out = sum_handler("dumps", "others", text="packets not written: those without a flow, or of a flow that began when there were "
        "1048576 others")


def _parts(pattern: str) -> Iterable[str]:
    """The parts of a pattern, as `struct flow_name` (userspace/summary/flows.h)."""
    at = 0
    while at < len(pattern):
        if pattern[at] != "%":
            end = pattern.find("%", at)
            end = len(pattern) if end < 0 else end
            yield _part(text=pattern[at:end])
        else:
            match = ESCAPE.match(pattern, at)
            if not match:
                raise ArgError(f"bad filename pattern '{pattern[at:]}'", "% is followed by n, x, X, s, S, d, D, p or %")
            end = match.end()
            yield _escape(match)
        at = end


def _escape(match: re.Match) -> str:
    width, part = int(match["width"] or 0), int(match["part"] or 0) if match["part"] is not None else -1
    if width > WIDEST:
        raise ArgError(f"bad filename pattern '{match[0]}'", f"at most {WIDEST} characters")
    if match["kind"] == "%":
        return _part(text="%".rjust(width, "0" if match["zeros"] else "_"))
    return _part(match["kind"], min(part, 9), width, bool(match["zeros"]))


def _part(kind: str = "", part: int = -1, width: int = 0, zeros: bool = False, text: str = "") -> str:
    kind = f"'{kind}'" if kind else "0"
    return f"\t{{{kind}, {part}, {width}, {Bool().c_value(zeros)}, {c_string(text)}}},\n"


def _columns_c(kind: str, names: Sequence[str], fields: Sequence[Field]) -> str:
    """The fields of a line or record for a packet of TCP or UDP."""
    rows = "".join(f"\t&SELF(fields)[{fields.index(find_field(name))}],\n" for name in names)
    return f"static const struct summary_field *const SELF({kind}_columns)[] = {{\n{rows}}};\n"


def _layout_c(kind: str, count: int, binary: bool) -> str:
    return (
        f"\t.{kind} = {{.fields = SELF({kind}_columns), .count = {count}, .binary = {Bool().c_value(binary)}, "
        ".extra_length = true, .looks_at_ip = true, .names = SELF(names)},\n"
    )

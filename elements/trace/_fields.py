"""The fields of packet summaries: the single source of the tables for both directions, and of the manual pages.

For each field, userspace/summary/ has a getter, GET(name), a setter, SET(name), and a format, FORMAT(format). To add a field, write
any of these that are missing, and add a row.
"""

from collections.abc import Iterable, Sequence

from clickbpf.declare import ArgError, Context, c_string, did_you_mean, frozen, split_words, unquote
from clickbpf.args.names import ETHER, ICMP_TYPE, IP, PROTOCOL, icmp_code

#: The order of putting fields into a packet: prerequisites come first.
ANNO, LINK, NET, TRANSPORT, PAYLOAD = 100, 200, 300, 400, 500


@frozen
class Field:
    """`accessor`: the name of the C functions, if not the field's own; `readable`: whether packets can be made from the field."""

    name: str
    format: str
    order: int
    doc: str
    accessor: str = ""
    readable: bool = True
    #: Whether binary records can have it.
    binary: bool = True

    @property
    def functions(self) -> str:
        return self.accessor or self.name

    @property
    def looks_at_ip(self) -> bool:
        """Whether the field belongs to the IP packet, not to the annotations or the link header."""
        return self.order > (LINK + NET) // 2

    @property
    def looks_at_payload(self) -> bool:
        """Whether the field depends on the content of the payload, not only its length."""
        return self.order == PAYLOAD


FIELDS = (
    Field("timestamp", "time", ANNO, "time: `996033261.451094`"),
    Field("ntimestamp", "time_nano", ANNO, "the same, but nanoseconds in records", accessor="timestamp"),
    Field("ts_sec", "number32", ANNO, "its seconds"),
    Field("ts_usec", "number32", ANNO, "its microseconds"),
    Field("ts_usec1", "number64", ANNO, "all of it in microseconds"),
    Field("first_timestamp", "time", ANNO, "annotation FIRST_TIMESTAMP"),
    Field("first_ntimestamp", "time_nano", ANNO, "the same, but nanoseconds in records", accessor="first_timestamp"),
    Field("count", "number32", ANNO, "packets that this one represents (annotation EXTRA_PACKETS and 1)"),
    Field("link", "link", ANNO, "annotation PAINT", accessor="paint"),
    Field("paint", "link", ANNO, "annotation PAINT", accessor="paint"),
    Field("direction", "direction", ANNO, "annotation PAINT, `>` for 0 and `<` for 1", accessor="paint"),
    Field("aggregate", "number32", ANNO, "annotation AGGREGATE"),
    Field("wire_len", "number32", ANNO, "length of the packet"),
    Field("eth_src", "ether", LINK, "Ethernet source: `00-0A-95-A6-D9-BC`"),
    Field("eth_dst", "ether", LINK, "Ethernet destination"),
    Field("eth_type", "hex16", LINK, "Ethernet type: `0800`"),
    Field("ip_src", "address", NET, "IP source: `192.0.2.1`"),
    Field("ip_dst", "address", NET, "IP destination"),
    Field("ip_tos", "number8", NET, "type of service"),
    Field("ip_dscp", "number8", NET, "its upper six bits"),
    Field("ip_ecn", "ecn", NET, "its lower two bits: `no`, `ect1`, `ect2`, `ce`"),
    Field("ip_ttl", "number8", NET, "time to live"),
    Field("ip_frag", "fragment", NET - 2, "`F` first fragment, `f` a later one, `!` not to be fragmented, or `.`"),
    Field("ip_fragoff", "fragment_offset", NET - 1, "fragment's offset in bytes, with `+` more follow, `!` not to be fragmented"),
    Field("ip_id", "number16", NET, "identification"),
    Field("ip_sum", "number16", NET + 2, "checksum of the header"),
    Field("ip_proto", "protocol", NET, "protocol: `T` TCP, `U` UDP, `I` ICMP, or a number"),
    Field("ip_hl", "number8", NET - 1, "header length in bytes"),
    Field("ip_len", "number32", NET + 1, "length"),
    Field("ip_capture_len", "number32", PAYLOAD + 2, "bytes of it that are there"),
    Field("ip_opt", "ip_options", NET, "IP options"),
    Field("ip6_src", "address6", NET, "IPv6 source: `2001:db8::1`"),
    Field("ip6_dst", "address6", NET, "IPv6 destination"),
    Field("ip6_tclass", "number8", NET, "traffic class"),
    Field("ip6_dscp", "number8", NET, "its upper six bits"),
    Field("ip6_ecn", "ecn", NET, "its lower two bits, as `ip_ecn`"),
    Field("ip6_flow", "number32", NET, "flow label"),
    Field("ip6_hlim", "number8", NET, "hop limit"),
    Field("ip6_len", "number32", NET + 1, "length, the header's 40 bytes included"),
    Field("ip6_capture_len", "number32", PAYLOAD + 2, "bytes of it that are there"),
    Field("ip6_nxt", "number8", NET - 3, "next header, as the IPv6 header says it"),
    Field("ip6_proto", "protocol", NET, "protocol after all extension headers: `T` TCP, `U` UDP, or a number, 58 for ICMPv6"),
    Field("ip6_frag", "fragment", NET - 2, "`F` first fragment, `f` a later one, or `.`"),
    Field("ip6_fragoff", "fragment_offset", NET - 1, "fragment's offset in bytes, with `+` more follow"),
    Field("ip6_id", "number32", NET, "identification of a fragment"),
    Field("sport", "number16", TRANSPORT, "source port of TCP or UDP"),
    Field("dport", "number16", TRANSPORT, "destination port"),
    Field("udp_len", "number32", TRANSPORT, "UDP length"),
    Field("tcp_seq", "number32", TRANSPORT, "sequence number"),
    Field("tcp_ack", "number32", TRANSPORT, "acknowledgement number"),
    Field("tcp_off", "number8", TRANSPORT - 1, "header length in bytes"),
    Field("tcp_flags", "tcp_flags", TRANSPORT, "letters of `FSRPAUECN`, or `.`"),
    Field("tcp_window", "number16", TRANSPORT, "receive window"),
    Field("tcp_urp", "number16", TRANSPORT, "urgent pointer"),
    Field("tcp_opt", "tcp_options", TRANSPORT + 3, "TCP options"),
    Field("tcp_ntopt", "tcp_options_but_timestamps", TRANSPORT + 2, "TCP options but for timestamps"),
    Field("tcp_sack", "tcp_sack", TRANSPORT + 1, "TCP options of selective acknowledgements"),
    Field("icmp_type", "icmp_type", TRANSPORT, "type: `8`"),
    Field("icmp_code", "icmp_code", TRANSPORT + 1, "code"),
    Field("icmp_type_name", "icmp_type_name", TRANSPORT, "type: `echo`", accessor="icmp_type"),
    Field("icmp_code_name", "icmp_code_name", TRANSPORT + 1, "code: `needfrag`", accessor="icmp_code"),
    Field("icmp_flowid", "number16", TRANSPORT + 2, "identifier of an echo and the like"),
    Field("icmp_seq", "number16", TRANSPORT + 2, "sequence number of an echo and the like"),
    Field("icmp_nextmtu", "number16", TRANSPORT + 2, "MTU of the next hop, in a `needfrag`"),
    Field("icmp6_type", "number8", TRANSPORT, "ICMPv6 type: `128`"),
    Field("icmp6_code", "number8", TRANSPORT + 1, "code"),
    Field("icmp6_flowid", "number16", TRANSPORT + 2, "identifier of an echo"),
    Field("icmp6_seq", "number16", TRANSPORT + 2, "sequence number of an echo"),
    Field("icmp6_mtu", "number32", TRANSPORT + 2, "MTU of the next hop, in a message that a packet is too big"),
    Field("payload_len", "number32", PAYLOAD + 1, "length of the payload"),
    Field("payload", "string", PAYLOAD, 'payload, what follows the headers: `"GET /"`', binary=False),
    Field("payload_md5", "digest", PAYLOAD, "its MD5 digest in 22 characters", readable=False),
    Field("payload_md5_hex", "hex_digest", PAYLOAD, "its MD5 digest in 32 hexadecimal digits", readable=False),
)

_SYNONYMS = {
    "utimestamp": "timestamp", "ts": "timestamp", "sec": "ts_sec", "usec": "ts_usec", "usec1": "ts_usec1",
    "first_utimestamp": "first_timestamp", "first_ts": "first_timestamp", "pkt_count": "count", "packet_count": "count",
    "agg": "aggregate", "wire_length": "wire_len", "ether_src": "eth_src", "ether_dst": "eth_dst",
    "ether_type": "eth_type", "length": "ip_len", "ip_p": "ip_proto", "tcp_seqno": "tcp_seq", "tcp_ackno": "tcp_ack",
    "tcp_win": "tcp_window", "payload_length": "payload_len",
}  # fmt: skip

_BY_NAME = {field.name: field for field in FIELDS}
_BY_NAME.update({synonym: _BY_NAME[name] for synonym, name in _SYNONYMS.items()})
#: ip_src can be called src, unless another field is called src.
_SHORT = {name[3:]: field for name, field in _BY_NAME.items() if name[:3] == "ip_" and "_" not in name[3:]}
#: All names of fields.
ALIASES = {**_SHORT, **_BY_NAME}


def find_field(name: str) -> Field | None:
    """A field by one of its names; spaces count as underscores."""
    return ALIASES.get(name.replace(" ", "_"))


def field_names(text: str) -> list[str]:
    """The words of a list of fields; names with spaces are in quotes."""
    return [unquote(word) for word in split_words(text)]


def unknown(name: str, argument: str) -> ArgError:
    return ArgError(f"unknown content type '{name}'", did_you_mean(name, ALIASES), argument=argument)


def manual() -> str:
    """A list of the fields for manual pages."""
    return "\n".join(f"      - {field.name}: {field.doc}." for field in FIELDS)


# -- C ---------------------------------------------------------------------------------------------------------------------


def field_table(name: str, fields: Sequence[Field], readable: bool) -> str:
    """`static const struct summary_field SELF(name)[]`, with declarations of the functions in it."""
    rows = "".join(_row(field, readable) for field in fields)
    return f"{_declarations(fields, readable)}static const struct summary_field SELF({name})[] = {{\n{rows}}};\n"


def _declarations(fields: Iterable[Field], readable: bool) -> str:
    accessors = dict.fromkeys(field.functions for field in fields)
    text = "".join(f"bool summary_get_{name}(struct summary_view *);\n" for name in accessors)
    if readable:
        setters = dict.fromkeys(field.functions for field in fields if field.readable)
        text += "".join(f"void summary_set_{name}(struct summary_maker *);\n" for name in setters)
    return text + "".join(f"extern const struct summary_format summary_format_{f};\n" for f in dict.fromkeys(f.format for f in fields))


def _row(field: Field, readable: bool) -> str:
    setter = f"summary_set_{field.functions}" if readable and field.readable else "NULL"
    return f'\t{{{c_string(field.name)}, &summary_format_{field.format}, {field.order}, summary_get_{field.functions}, {setter}}},\n'


def alias_table(name: str) -> str:
    """`static const struct summary_alias SELF(name)[]`, indexes into a table of all FIELDS."""
    rows = "".join(f'\t{{{c_string(alias)}, {FIELDS.index(field)}}},\n' for alias, field in ALIASES.items())
    return f"static const struct summary_alias SELF({name})[] = {{\n{rows}\t{{NULL, 0}},\n}};\n"


def name_table(name: str, context: Context) -> str:
    """`static const struct summary_name SELF(name)[]`: the values of names of addresses, protocols and ICMP, for an element."""
    kinds = {"SUMMARY_IP": IP, "SUMMARY_ETHER": ETHER, "SUMMARY_PROTOCOL": PROTOCOL, "SUMMARY_ICMP_TYPE": ICMP_TYPE}
    kinds.update({f"SUMMARY_ICMP_CODE + {type_}": icmp_code(type_) for type_ in range(256)})
    rows = ""
    for kind, of_names in kinds.items():
        for known in sorted(context.names.known(of_names, context.element)):
            rows += f'\t{{{kind}, {c_string(known)}, {_number(context.names.query(of_names, context.element, known))}}},\n'
    return f"static const struct summary_name SELF({name})[] = {{\n{rows}\t{{0, NULL, 0}},\n}};\n"


def _number(value) -> str:
    return f"{int.from_bytes(value) if isinstance(value, bytes) else int(value):#x}"

from clickbpf.declare import ArgError, Bool, Constants, Element, Keyword, Required, read_handler

from ._field import IP, PAYLOAD, TCP, TCP_OR_UDP, TRANSPORT, UDP, FieldType

WORD = 32
#: The bits of the IP header that are addresses.
ADDRESSES = range(96, 160)


class AggregateIP(Element, ports="1/1-2", processing="a/ah"):
    """sets the aggregate annotation to a field of packets' headers

    Ports: one input; packets without the field leave by output 1, or are dropped.

    Example: FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> AggregateIP(ip dst/24) -> AggregateCounter -> Discard;
    """

    args = (
        Required("FIELD", FieldType(), "a field of a header, which must not cross a multiple of 32 bits: `ip src`, `tcp flags`, `udp len`, "
            "`icmp type`, `sport` and `dport` for TCP or UDP. Other fields of `ip` are `vers`, `hl`, `tos`, `dscp`, `ecn`, `len`, `id`, "
            "`off`, `rf`, `df`, `mf`, `fragoff`, `ttl`, `proto`, `sum`, `dst`; of `tcp` `sport`, `dport`, `seq`, `ackno`, `hl`, `fin`, "
            "`syn`, `rst`, `psh`, `ack`, `urg`, `win`, `sum`, `urp`. A place will do as well: `ip[12:4]` are four bytes from byte 12 on, "
            "`transp[0]` is a byte of the transport header, `payload[0-3]` are bytes after it, `ip{96:8}` are bits. After it, `/8` takes "
            "the field's first 8 bits, `& 0x3F0` those of a mask"),
        Keyword("INCREMENTAL", Bool(), False, "Boolean. Shift the old aggregate up by as many bits and add the field"),
        Keyword("UNSHIFT_IP_ADDR", Bool(), False, "Boolean. Leave a part of an IP address where it is, the other bits zero"),
    )
    annotations = ("AGGREGATE",)

    def configure(self) -> None:
        field = self.cfg.field
        if field.bits > WORD:
            raise ArgError("field length too large, max 32", argument="FIELD")
        if field.first // WORD != (field.first + field.bits - 1) // WORD:
            raise ArgError("field specification does not fit within a single word", argument="FIELD")
        if field.bits == WORD and self.cfg.incremental:
            raise ArgError("'INCREMENTAL' is incompatible with field length 32", argument="INCREMENTAL")

    def constants(self) -> Constants:
        field = self.cfg.field
        shift = WORD - 1 - (field.first + field.bits - 1) % WORD
        mask = (1 << field.bits) - 1
        if self.cfg.unshift_ip_addr and field.header == IP and field.first in ADDRESSES:
            mask, shift = mask << shift, 0
        protocols = {TCP_OR_UDP: (TCP, UDP), TRANSPORT: None, PAYLOAD: (TCP, UDP)}.get(field.header, (field.header, field.header))
        return {
            "in_ip": ("bool", Bool().c_value(field.header == IP)),
            "in_payload": ("bool", Bool().c_value(field.header == PAYLOAD)),
            "any_protocol": ("bool", Bool().c_value(protocols is None)),
            "protocols": ("__u8[2]", "{{{}, {}}}".format(*(protocols or (0, 0)))),
            "offset": ("__u32", str(field.first // WORD * 4)),
            "shift": ("int", str(shift)),
            "mask": ("__u32", f"{mask:#x}u"),
            "bits": ("int", str(field.bits)),
        }

    @read_handler
    def header(self) -> str:
        """the header it is in; `bit_offset`, `bit_length` (read): where there; `field` (read): all of it."""
        return FieldType().unparse(self.cfg.field).split()[0].partition("[")[0].partition("{")[0]

    bit_offset = read_handler(lambda self: str(self.cfg.field.first))
    bit_length = read_handler(lambda self: str(self.cfg.field.bits))
    field = read_handler(lambda self: FieldType().unparse(self.cfg.field))

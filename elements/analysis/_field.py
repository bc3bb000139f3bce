"""A field of a packet's headers, as AggregateIP's argument names it.

    ip src/8    tcp flags    ip[8:2] & 0x3F0    transp{96-103}    sport

is a header, then the name of a field, an offset and length in brackets (bytes) or braces (bits), or both. An optional prefix length
takes the field's first bits; an optional mask takes contiguous bits.
"""

import re
from dataclasses import replace

from clickbpf.declare import NOWHERE, ArgError, Context, Type, did_you_mean, frozen, unquote
from clickbpf.args.digits import whole
from clickbpf.args.names import PROTOCOL

#: Header numbers: IP protocols, and Click's numbers for others.
IP, TCP_OR_UDP, TRANSPORT, PAYLOAD = 0, 256, 258, 259
ICMP, TCP, UDP = 1, 6, 17

#: Name -> (first bit, bits).
_IP = {
    "vers": (0, 4), "hl": (4, 4), "tos": (8, 8), "dscp": (8, 6), "ecn": (14, 2), "len": (16, 16), "id": (32, 16),
    "off": (48, 16), "rf": (48, 1), "df": (49, 1), "mf": (50, 1), "fragoff": (51, 13), "ttl": (64, 8), "proto": (72, 8),
    "sum": (80, 16), "src": (96, 32), "dst": (128, 32),
}  # fmt: skip
_PORTS = {"sport": (0, 16), "dport": (16, 16)}
_UDP = {**_PORTS, "len": (32, 16), "sum": (48, 16)}
_TCP = {
    **_PORTS, "seq": (32, 32), "seqno": (32, 32), "ackno": (64, 32), "hl": (96, 4), "flags": (104, 8), "urg": (106, 1),
    "ack": (107, 1), "psh": (108, 1), "push": (108, 1), "rst": (109, 1), "syn": (110, 1), "fin": (111, 1), "win": (112, 16),
    "sum": (128, 16), "urp": (144, 16),
}  # fmt: skip
_ICMP = {"type": (0, 8), "code": (8, 8), "sum": (16, 16)}
FIELDS = {IP: _IP, TCP: _TCP, UDP: _UDP, ICMP: _ICMP, TCP_OR_UDP: _PORTS}

#: Names of headers without a protocol number.
_OWN = {"ip": IP, "data": PAYLOAD}

_NUMBER = r"(0[xX][0-9a-fA-F]+|\d+)"
_PLACE = re.compile(rf"\s*([\[{{])\s*{_NUMBER}\s*(?:([:,-])\s*{_NUMBER}\s*)?([\]}}])")
_PREFIX, _MASK = re.compile(rf"\s*/\s*{_NUMBER}"), re.compile(rf"\s*&\s*{_NUMBER}")
_WORD = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_-]*)")
_IP_PROTO = re.compile(rf"\s*ip\s+proto\s+{_NUMBER}")


def _integer(text: str) -> int:
    if text[:2] in ("0x", "0X"):
        return whole(text[2:], 16)
    if text[0] == "0" and not re.fullmatch("[0-7]+", text):
        raise ArgError(f"'{text}' is no octal number")
    return whole(text, 8 if text[0] == "0" else 10)


@frozen
class HeaderField:
    """A number of bits, from bit `first` of a header; `header` is an IP protocol or one of the numbers above."""

    header: int
    first: int
    bits: int


class FieldType(Type):
    """Value HeaderField."""

    described = "a field of a header: HEADER [NAME] [{OFFSET:LENGTH}] [/PREFIX] [& MASK]"

    def parse(self, text: str, context: Context = NOWHERE) -> HeaderField:
        text = unquote(text)
        header, rest = self._header(text, context)
        field, rest = self._named(header, rest)
        field, rest = self._placed(header, field, rest)
        field, rest = self._limited(field, rest)
        if rest.strip():
            raise ArgError("garbage after field specification", offset=len(text) - len(rest))
        return field

    def _header(self, text: str, context: Context) -> tuple[int, str]:
        match = _IP_PROTO.match(text)
        if match:
            return _integer(match[1]), text[match.end() :]
        word = _WORD.match(text)
        if not word:
            raise self.wrong(text)
        if word[1] in _PORTS:
            return TCP_OR_UDP, text
        number = _OWN.get(word[1])
        if number is None:
            number = context.names.query(PROTOCOL, context.element, word[1])
        if number is None:
            raise ArgError(f"no header is called '{word[1]}'", did_you_mean(word[1], ("ip", "tcp", "udp", "icmp", "transp", "payload")))
        return number, text[word.end() :]

    @staticmethod
    def _named(header: int, text: str) -> tuple[HeaderField | None, str]:
        word = _WORD.match(text)
        if not word:
            return None, text
        known = FIELDS.get(header, {})
        if word[1] not in known:
            raise ArgError(f"no field is called '{word[1]}'", did_you_mean(word[1], known))
        return HeaderField(header, *known[word[1]]), text[word.end() :]

    def _placed(self, header: int, field: HeaderField | None, text: str) -> tuple[HeaderField, str]:
        place = _PLACE.match(text)
        if not place:
            if field is None:
                raise self.wrong(text)
            return field, text
        unit = 8 if place[1] == "[" else 1
        first, last = _integer(place[2]), _integer(place[4] or "1")
        bits = unit * (last - first + 1 if place[3] == "-" else last)
        if bits <= 0 or "[{".index(place[1]) != "]}".index(place[5]) or (field and unit * first + bits > field.bits):
            raise ArgError("bad offset or length in TCP/IP field")
        found = HeaderField(header, unit * first + (field.first if field else 0), bits)
        return found, text[place.end() :]

    @staticmethod
    def _limited(field: HeaderField, text: str) -> tuple[HeaderField, str]:
        prefix = _PREFIX.match(text)
        if prefix:
            bits = _integer(prefix[1])
            if not 0 < bits <= field.bits:
                raise ArgError("bad prefix or mask in TCP/IP field")
            field, text = replace(field, bits=bits), text[prefix.end() :]
        mask = _MASK.match(text)
        if mask:
            value = _integer(mask[1])
            low = (value & -value).bit_length() - 1
            high = value.bit_length()
            if not value or value + (1 << low) != 1 << high or high > field.bits:
                raise ArgError("bad prefix or mask in TCP/IP field")
            field, text = HeaderField(field.header, field.first + field.bits - high, high - low), text[mask.end() :]
        return field, text

    def unparse(self, value: HeaderField) -> str:
        header = {IP: "ip", TCP: "tcp", UDP: "udp", ICMP: "icmp", TCP_OR_UDP: "tcpudp", TRANSPORT: "transp", PAYLOAD: "payload"}
        text = header.get(value.header, f"ip proto {value.header}")
        for size in (0, 8, 16, 32):
            first = value.first // size * size if size else value.first
            whole = (first, size or value.bits)
            name = next((name for name, place in FIELDS.get(value.header, {}).items() if place == whole), None)
            if name and value.first + value.bits <= first + whole[1]:
                part = "" if whole == (value.first, value.bits) else self._part(value.first - first, value.bits)
                return f"{text} {name}{part}"
        return text + self._part(value.first, value.bits, whole=True)

    @staticmethod
    def _part(first: int, bits: int, whole: bool = False) -> str:
        if first == 0 and not whole:
            return f"/{bits}"
        if first % 8 == 0 and bits % 8 == 0:
            return f"[{first // 8}]" if bits == 8 else f"[{first // 8}:{bits // 8}]"
        return f"{{{first}}}" if bits == 1 else f"{{{first}:{bits}}}"

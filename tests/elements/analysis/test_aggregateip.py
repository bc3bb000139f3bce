"""AggregateIP: fields of headers, found by name and by place."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.packet import Raw
from tests.elements.running import running
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import Reach

HEADER = IP(src="1.2.3.4", dst="10.20.30.40", tos=0xB5, id=0x1234, ttl=9, flags="DF")
SEGMENT = HEADER / TCP(sport=1000, dport=80, seq=0x01020304, flags="SA", window=77) / Raw(b"abcd")
DATAGRAM = HEADER / UDP(sport=53, dport=9) / Raw(b"wxyz")


def aggregates(tmp_path, fields, packet) -> list[int | None]:
    """What each AggregateIP makes of the packet; None where it leaves by output 1."""
    text = f"FromDevice(a) -> Strip(14) -> CheckIPHeader -> t :: Tee({len(fields)});"
    for i, field in enumerate(fields):
        text += f"t[{i}] -> x{i} :: AggregateIP({field}) -> ToIPSummaryDump({tmp_path}/{i}, HEADER false, FIELDS aggregate) -> Discard;"
        text += f"x{i}[1] -> Discard;"
    with running(text) as router:
        router.inject("a", bytes(14) + bytes(packet))
    found = [(tmp_path / str(i)).read_text() for i in range(len(fields))]
    return [int(line) if line else None for line in found]


IN_SEGMENT = {
    "ip src": 0x01020304, "ip src/8": 1, "ip src & 0xFF00": 3, "ip[12]": 1, "ip[12:2]": 0x0102, "ip[13-15]": 0x020304, "ip{96:8}": 1,
    "ip{100-103}": 1, "ip dst[3]": 40, "ip dst{0:4}": 0, "ip tos": 0xB5, "ip dscp": 0x2D, "ip ecn": 1, "ip id": 0x1234, "ip df": 1,
    "ip fragoff": 0, "ip ttl": 9, "ip proto": 6, "ip vers": 4, "ip hl": 5, "tcp sport": 1000, "tcp dport": 80, "tcp seq": 0x01020304,
    "tcp flags": 0x12, "tcp syn": 1, "tcp fin": 0, "tcp ack": 1, "tcp win": 77, "tcp hl": 5, "sport": 1000, "tcp[13]": 0x12,
    "transp[0:2]": 1000, "ip proto 6[2:2]": 80, "payload[0:2]": 0x6162, "data[3]": 0x64, '"ip[8]"': 9, "udp sport": None,
    "ip src/8, UNSHIFT_IP_ADDR true": 0x01000000, "ip dst & 0xff00, UNSHIFT_IP_ADDR true": 0x1E00, "icmp type": None,
    "ip proto 17[0]": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("packet", "expected"),
    [
        (SEGMENT, IN_SEGMENT),
        (DATAGRAM, {"udp len": 12, "dport": 9, "payload[0]": ord("w"), "tcp dport": None, "payload[4:4]": None, "transp[0:2]": 53}),
        (HEADER / ICMP(type=8), {"icmp type": 8, "sport": None, "ip proto": 1}),
        (IP(proto=6, frag=2) / Raw(bytes(40)), {"tcp win": None, "transp[0]": None, "ip fragoff": 2}),
        (IP(proto=89) / Raw(b"\5abc"), {"transp[0]": 5, "payload[0]": None}),
    ],
)
def test_fields(tmp_path, packet, expected):
    assert dict(zip(expected, aggregates(tmp_path, list(expected), packet))) == expected


CASES = [
    Case(f"AggregateIP({field})", noutputs=2, headers="ip-in-ethernet", packets=500)
    for field in ["sport", "payload[0:4]"]
]

TRIALS = {
    "incremental": Trial("AggregateIP(ip ttl, INCREMENTAL true)", noutputs=2, headers="ip-checked", before="Paint(5) -> AggregatePaint")
        .passes(SEGMENT, AGGREGATE=5 << 8 | 9),
    "handlers": Trial("AggregateIP(ip[13])", noutputs=2, headers="ip-checked")
        .reads(header="ip", bit_offset="104", bit_length="8", field="ip src[1]"),
}

PUNTS = [Reach("AggregateIP(payload[0-3])", noutputs=2, headers="ip-checked")]

MISTAKES = {
    "AggregateIP(ip nothing)": "no field is called 'nothing'",
    "AggregateIP(nothing[2])": "no header is called 'nothing'",
    "AggregateIP(ip)": "is not a field of a header",
    "AggregateIP(ip[3:2])": "does not fit within a single word",
    "AggregateIP(ip[0:5])": "field length too large",
    "AggregateIP(ip src[3:2])": "bad offset or length",
    "AggregateIP(ip src/33)": "bad prefix or mask",
    "AggregateIP(ip src & 5)": "bad prefix or mask",
    "AggregateIP(ip src/8 what)": "garbage after field specification",
    "AggregateIP(ip src, INCREMENTAL true)": "'INCREMENTAL' is incompatible with field length 32",
}

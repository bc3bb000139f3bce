"""ToIPSummaryDump: its fields, and that FromIPSummaryDump reads what it writes, in lines and in records."""

import hashlib
import re
import struct

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.elements.running import ran

from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.testing.packets import generate
from clickbpf.vocabulary.library import Library


def pcap(path, frames, link=1) -> str:
    """A dump of frames that arrived at 1.5 s, 2.5 s and so on."""
    data = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for second, frame in enumerate(map(bytes, frames), 1):
        data += struct.pack("<IIII", second, 500_000, len(frame), len(frame)) + frame
    path.write_bytes(data)
    return str(path)


def lines(path) -> list[str]:
    """The lines of a dump, without those that begin with an exclamation mark."""
    return [line for line in path.read_text().splitlines() if not re.match("![A-Za-z]", line)]


def summarise(tmp_path, frames, fields: str, *arguments: str, between: str = "") -> list[str]:
    file, out = pcap(tmp_path / "in.pcap", frames), tmp_path / "out"
    ran(f"FromDump({file}, FORCE_IP true) -> {between} ToIPSummaryDump({', '.join((str(out), f'FIELDS {fields}', *arguments))});")
    return lines(out)


ETHER = Ether(src="02:00:00:00:00:99", dst="02:00:00:00:00:01")
IN_IP = IP(src="192.0.2.1", dst="198.51.100.7", ttl=9, id=77, tos=0x2B)
SEGMENT = TCP(
    sport=4000, dport=80, seq=1 << 31, ack=5, flags="PA", window=1000, urgptr=3,
    options=[("MSS", 1400), ("SAckOK", b""), ("Timestamp", (5, 1 << 31)), ("NOP", None), ("SAck", (1, 2, 3, 4)), (99, b"ab")],
)  # fmt: skip


#: Frames, and what some fields are of them.
EXAMPLES = [
    (
        ETHER / IN_IP / TCP(flags="") / Raw(b"x"),
        "timestamp=1.500000 ts_sec=1 ts_usec=500000 count=1 link=0 paint=0 direction=> aggregate=0 first_timestamp=0.000000 "
        "wire_len=55 "
        "eth_src=02-00-00-00-00-99 eth_dst=02-00-00-00-00-01 eth_type=0800 ip_src=192.0.2.1 ip_dst=198.51.100.7 ip_tos=43 ip_dscp=10 "
        "ip_ecn=ce ip_ttl=9 ip_frag=. ip_fragoff=0 ip_id=77 ip_proto=T ip_hl=20 ip_len=41 ip_capture_len=41 ip_opt=. tcp_flags=. "
        "tcp_off=20 "
        'tcp_opt=. tcp_sack=. udp_len=- icmp_type=- payload="x" payload_len=1',
    ),
    (
        ETHER / IN_IP / SEGMENT,
        "sport=4000 dport=80 tcp_seq=2147483648 tcp_ack=5 tcp_off=60 tcp_flags=PA tcp_window=1000 tcp_urp=3 "
        "tcp_opt=mss1400;sackok;ts5:2147483648;sack1-2;sack3-4;99=97:98 tcp_ntopt=mss1400;sackok;sack1-2;sack3-4;99=97:98 "
        'tcp_sack=sackok;sack1-2;sack3-4 payload="" payload_len=0',
    ),
    (
        ETHER / IN_IP / UDP(sport=53, dport=1) / Raw(b'a"\n\0$\\'),
        r'ip_proto=U sport=53 udp_len=14 payload="a\"\n\000\$\\" tcp_seq=- icmp_code=-',
    ),
    (
        ETHER / IN_IP / ICMP(type=8, id=258, seq=3),
        "ip_proto=I icmp_type=8 icmp_type_name=echo icmp_code=0 icmp_flowid=258 icmp_seq=3 icmp_nextmtu=- sport=-",
    ),
    (
        ETHER / IN_IP / ICMP(type=3, code=4, nexthopmtu=1400),
        "icmp_type_name=unreachable icmp_code_name=needfrag icmp_nextmtu=1400 icmp_seq=-",
    ),
    (ETHER / IP(flags="MF", frag=3, proto=6) / Raw(b"abcd"), "ip_frag=f ip_fragoff=24+ sport=- tcp_opt=- payload=\"abcd\""),
    (ETHER / IP(flags="DF", proto=47) / Raw(b"ab"), "ip_proto=47 ip_frag=! ip_fragoff=0! payload_len=2"),
    (ETHER / IP(options=bytes([7, 11, 8, 10, 0, 0, 1, 0, 0, 0, 0, 1])) / UDP(), "ip_opt=rr{10.0.0.1}+1 ip_hl=32"),
    (ETHER / IP(options=bytes([137, 11, 8, 1, 0, 0, 1, 1, 0, 0, 3, 0])) / UDP(), "ip_opt=ssrr{1.0.0.1^1.0.0.3}"),
    (ETHER / IP(options=bytes([68, 12, 9, 0x30, 0, 0, 0, 1, 0, 0, 0, 0])) / UDP(), "ip_opt=ts{1}+1++3"),
    (ETHER / IP(options=bytes([68, 12, 13, 0x01, 1, 0, 0, 1, 128, 0, 0, 2])) / UDP(), "ip_opt=ts.ip{1.0.0.1=!2^}"),
    (ETHER / IP(options=bytes([68, 12, 5, 0x03, 1, 0, 0, 1, 0, 0, 0, 2])) / UDP(), "ip_opt=ts.preip{^1.0.0.1}"),
    (ETHER / IP(options=bytes([148, 4, 0, 0, 98, 9, 1, 1])) / UDP(), "ip_opt=?"),
    (ETHER / IN_IP / UDP() / Raw(b"abc") / Raw(bytes(20)), 'ip_len=51 payload_len=23'),
]  # fmt: skip


def test_fields(tmp_path):
    """All fields of all frames at once."""
    names = list(dict.fromkeys(pair.partition("=")[0] for _, expected in EXAMPLES for pair in expected.split()))
    found = summarise(tmp_path, [frame for frame, _ in EXAMPLES], " ".join(names))
    assert len(found) == len(EXAMPLES)
    for (_, expected), line in zip(EXAMPLES, found):
        values = dict(zip(names, line.split()))
        assert {name: values[name] for name in (pair.partition("=")[0] for pair in expected.split())} == dict(
            pair.split("=", 1) for pair in expected.split()
        )


def test_trailing_bytes_are_no_part_of_the_packet(tmp_path):
    """A short Ethernet frame is padded to 60 bytes; RFC 1042."""
    frame = bytes(ETHER / IN_IP / UDP() / Raw(b"abc")) + bytes(15)
    assert summarise(tmp_path, [frame], "wire_len ip_len ip_capture_len payload payload_len") == ['60 31 31 "abc" 3']


def test_digests(tmp_path):
    payloads = [bytes(range(n % 256)) * (n // 256 + 1) for n in (0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 600)]
    frames = [ETHER / IN_IP / UDP() / Raw(payload) for payload in payloads]
    found = summarise(tmp_path, frames, "payload_md5_hex")
    assert found == [hashlib.md5(payload).hexdigest() for payload in payloads]
    # Six bits a character, least significant first, of a-z, A-Z, 0-9, _ and @: this digest begins with 0xd4, 0x1d, 0x8c.
    assert summarise(tmp_path, frames[:1], "payload_md5") == ["u3bJz@iaYsq6aMaMSJVq_b"]


def test_names_of_fields(tmp_path):
    """Short and old names are the same fields; a space is as good as an underscore; the header has the full names."""
    summarise(tmp_path, [], 'src proto "tcp seq" length tcp_seqno utimestamp ntimestamp agg "payload md5 hex"')
    assert (tmp_path / "out").read_text().splitlines() == [
        "!IPSummaryDump 1.3",
        "!data ip_src ip_proto tcp_seq ip_len tcp_seq timestamp timestamp aggregate payload_md5_hex",
    ]


def test_header_lines(tmp_path):
    summarise(tmp_path, [], "src", "VERBOSE true", 'BANNER "made by \\"me\\""')
    creator, host, runtime = (tmp_path / "out").read_text().splitlines()[1:4]
    assert creator == r'!creator "made by \"me\""'
    assert host.startswith("!host ") and runtime.startswith("!runtime ")
    summarise(tmp_path, [ETHER / IN_IP], "src", "VERBOSE true", "HEADER false")
    assert (tmp_path / "out").read_text() == "192.0.2.1\n"


NETWORK = "timestamp paint count ip_src ip_dst ip_tos ip_ttl ip_fragoff ip_id ip_proto ip_len"
TRANSPORT = "sport dport tcp_seq tcp_ack tcp_flags tcp_window tcp_opt udp_len icmp_type icmp_code icmp_seq payload_len"


def test_what_is_written_is_read(tmp_path):
    """Packets made from lines and from records have the values of those that were summarised."""
    file = pcap(tmp_path / "in.pcap", generate(500, seed=4))
    ran(
        f"FromDump({file}) -> Classifier(12/0800) -> Strip(14) -> CheckIPHeader -> Paint(3)"
        f"-> ToIPSummaryDump({tmp_path}/lines, FIELDS {NETWORK} {TRANSPORT})"
        f"-> ToIPSummaryDump({tmp_path}/network, FIELDS {NETWORK}) -> ToIPSummaryDump({tmp_path}/records, BINARY true, FIELDS {NETWORK});"
    )
    ran(
        f"FromIPSummaryDump({tmp_path}/lines) -> ToIPSummaryDump({tmp_path}/lines-again, FIELDS {NETWORK} {TRANSPORT});"
        f"FromIPSummaryDump({tmp_path}/records) -> ToIPSummaryDump({tmp_path}/records-again, FIELDS {NETWORK});"
    )
    assert len(lines(tmp_path / "network")) > 200
    assert lines(tmp_path / "records-again") == lines(tmp_path / "network")
    described, made = lines(tmp_path / "lines"), lines(tmp_path / "lines-again")
    assert len(described) == len(made)
    for one, other in zip(described, made):
        # Fields that were missing, because the packet was cut or a fragment, may be present in the packet made from the summary.
        assert [a for a in zip(one.split(), other.split()) if a[0] not in ("-", "?", a[1])] == []


def test_a_record(tmp_path):
    """Its length, and each field in as many bytes as the manual says."""
    frame = ETHER / IN_IP / SEGMENT
    summarise_binary = f"FromDump({pcap(tmp_path / 'in.pcap', [frame])}, FORCE_IP true) -> ToIPSummaryDump({tmp_path}/out, BINARY true, "
    ran(summarise_binary + "FIELDS timestamp ip_src sport tcp_flags ip_frag tcp_sack eth_src udp_len);")
    head, _, record = (tmp_path / "out").read_bytes().partition(b"!binary\n")
    options = bytes([4, 2, 5, 18]) + struct.pack("!4I", 1, 2, 3, 4)
    fields = struct.pack("!II4sHBc", 1, 500_000, bytes([192, 0, 2, 1]), 4000, 0x18, b".") + bytes([20]) + options
    fields += bytes.fromhex("020000000099") + bytes(4)
    assert record == struct.pack("!I", 4 + len(fields)) + fields


@pytest.mark.parametrize(
    "change, fields, expected",
    [
        (lambda ip: ip[:3], "ip_src", ["!bad truncated IP header", "-"]),
        (lambda ip: ip[:15], "ip_src", ["!bad truncated IP missing 26", "-"]),
        (lambda ip: ip[:30], "sport tcp_flags", ["!bad truncated IP missing 11", "20 -"]),
        (lambda ip: b"\x55" + ip[1:], "ip_src", ["!bad IP version 5", "-"]),
        (lambda ip: b"\x44" + ip[1:], "ip_src", ["!bad IP header length 4", "-"]),
        (lambda ip: ip[:2] + b"\0\x13" + ip[4:], "ip_src", ["!bad IP length 19", "-"]),
        (lambda ip: ip[:32] + b"\x40" + ip[33:], "tcp_flags", ["!bad TCP header length 4", "-"]),
        (lambda ip: ip[:6] + b"\0\1" + ip[8:], "tcp_seq", ["!bad fragmented TCP header", "-"]),
        (lambda ip: ip[:2] + b"\0\x1e" + ip[4:30], "tcp_flags", ["!bad truncated TCP header", "-"]),
        (lambda ip: ip, "udp_len eth_type", ["!bad Ethernet header", "- -"]),
        (lambda ip: ip, "sport", ["20"]),
    ],
)
def test_bad_packets(tmp_path, change, fields, expected):
    file = pcap(tmp_path / "in.pcap", [change(bytes(IN_IP / TCP() / Raw(b"x")))], link=9)
    ran(f"FromDump({file}) -> MarkIPHeader -> ToIPSummaryDump({tmp_path}/out, BAD_PACKETS true, FIELDS {fields});")
    assert (tmp_path / "out").read_text().splitlines()[2:] == expected


def test_packets_that_stand_for_several(tmp_path):
    text = 'FromIPSummaryDump(DATA "!data first_timestamp timestamp count ip_len proto\n1 2 3 100 U") -> '
    ran(f"{text} ToIPSummaryDump({tmp_path}/out, MULTIPACKET true, FIELDS timestamp wire_len count);")
    assert lines(tmp_path / "out") == ["1.000000 28 1", "1.500000 28 1", "2.000000 28 1"]
    ran(f"{text} ToIPSummaryDump({tmp_path}/out, FIELDS timestamp count);")
    assert lines(tmp_path / "out") == ["2.000000 3"]


def test_a_packet_that_stands_for_very_many(tmp_path):
    """The last of 65536 lines stands for all the rest; their times, lengths and counts are those of all, whatever a dump says."""
    text = 'FromIPSummaryDump(DATA "!data first_timestamp timestamp count ip_len proto\n1 100001 COUNT 4000000000 U") -> '
    for count in (100_001, 4_000_000_000):
        way = f"ToIPSummaryDump({tmp_path}/out, MULTIPACKET true, FIELDS first_timestamp timestamp count);"
        ran(text.replace("COUNT", str(count)) + way)
        rows = [line.split() for line in lines(tmp_path / "out")]
        assert len(rows) == 65536
        assert {row[2] for row in rows[:-1]} == {"1"}
        assert rows[-1] == [rows[-1][0], "100001.000000", str(count - 65535)]
        assert sum(int(row[2]) for row in rows) == count
    ran(f"{text.replace('COUNT', '100001')} ToIPSummaryDump({tmp_path}/out, MULTIPACKET true, FIELDS timestamp count first_timestamp);")
    assert lines(tmp_path / "out")[2] == "3.000000 1 1.000000"
    assert lines(tmp_path / "out")[-1] == "100001.000000 34466 65536.000000"


def test_standard_output_keeps_the_order(capfd):
    text = 'FromIPSummaryDump(DATA "!data ip_id\n1\n2\n3") -> s :: RoundRobinSwitch; s[0] -> ToIPSummaryDump(-, FIELDS ip_id); s[1] -> '
    ran(text + "ToIPSummaryDump(-, HEADER false, FIELDS ip_id);")
    assert capfd.readouterr().out.splitlines()[2:] == ["1", "2", "3"]


@pytest.mark.parametrize(
    "arguments, says",
    [
        ("FIELDS ip_src nonsense rubbish", "unknown content type 'nonsense'(.|\n)*unknown content type 'rubbish'"),
        ("BINARY true, FIELDS ip_src payload", "cannot use field payload with BINARY"),
        ("FIELDS ''", "unknown content type ''|no contents specified"),
    ],
)
def test_bad_fields(arguments, says):
    with pytest.raises(ClickError, match=says):
        check(read_text(f"Idle -> ToIPSummaryDump(-, {arguments});"), Library.standard())

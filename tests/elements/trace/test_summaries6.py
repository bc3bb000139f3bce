"""Summaries of IPv6 packets: what ToIPSummaryDump writes about what scapy makes, and what FromIPSummaryDump makes of lines."""

import struct
from ipaddress import IPv6Address

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (
    ICMPv6EchoRequest,
    ICMPv6PacketTooBig,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
    PadN,
)
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.elements.running import ran, settled

from clickbpf.testing.packets import IPV6, generate

HEADER = IPv6(src="2001:db8::1", dst="2001:db8:0:1::2", hlim=9, tc=0x2B, fl=0x12345)
OPTIONS = IPv6ExtHdrDestOpt(options=[PadN(optdata=bytes(4))])
HEADER_FIELDS = "ip6_src=2001:db8::1 ip6_dst=2001:db8:0:1::2 ip6_hlim=9 ip6_tclass=43 ip6_dscp=10 ip6_ecn=ce ip6_flow=74565"
FRAGMENT = Raw(bytes(range(16)))

#: Packets, and what some fields are of them.
EXAMPLES = [
    (
        HEADER / TCP(sport=4000, dport=80, seq=7, ack=8, flags="SA", window=9, options=[("MSS", 1400)]) / b"x",
        f"{HEADER_FIELDS} ip6_len=65 ip6_capture_len=65 ip6_nxt=6 ip6_proto=T ip6_frag=. ip6_fragoff=0 ip6_id=- sport=4000 dport=80 "
        'tcp_seq=7 tcp_ack=8 tcp_flags=SA tcp_window=9 tcp_off=24 tcp_opt=mss1400 payload="x" payload_len=1 udp_len=- icmp6_type=- '
        "ip_src=- ip_ttl=- ip_proto=- ip_opt=- icmp_type=- ip_len=65",
    ),
    (
        HEADER / IPv6ExtHdrHopByHop() / IPv6ExtHdrRouting(segleft=0) / OPTIONS / UDP(sport=53, dport=1) / b"abc",
        'ip6_len=75 ip6_nxt=0 ip6_proto=U sport=53 dport=1 udp_len=11 payload="abc" payload_len=3 tcp_seq=-',
    ),
    (
        HEADER / OPTIONS / ICMPv6EchoRequest(id=258, seq=3, data=b"ping"),
        "ip6_proto=58 icmp6_type=128 icmp6_code=0 icmp6_flowid=258 icmp6_seq=3 icmp6_mtu=- icmp_type=- sport=- payload_len=12",
    ),
    (HEADER / ICMPv6PacketTooBig(mtu=1400), "icmp6_type=2 icmp6_mtu=1400 icmp6_seq=- icmp6_flowid=-"),
    (HEADER / ICMPv6TimeExceeded(code=1), "icmp6_type=3 icmp6_code=1 icmp6_mtu=-"),
    # An ICMP message that isn't IPv6's (RFC 8200 has no say in that), and one of IPv6 in an IPv4 packet.
    (IPv6(nh=1) / ICMP(type=8, seq=3), "ip6_proto=I icmp_type=- icmp6_type=-"),
    (
        HEADER / IPv6ExtHdrFragment(nh=6, m=1, id=77) / TCP(sport=1, dport=2),
        "ip6_nxt=44 ip6_proto=T ip6_frag=F ip6_fragoff=0+ ip6_id=77 sport=1",
    ),
    (
        HEADER / OPTIONS / IPv6ExtHdrFragment(nh=17, offset=3, m=0, id=1 << 31) / FRAGMENT,
        "ip6_proto=U ip6_frag=f ip6_fragoff=24 ip6_id=2147483648 sport=- udp_len=- payload_len=16",
    ),
    (IPv6(src="::ffff:1.2.3.4", dst="::", nh=59), "ip6_src=::ffff:1.2.3.4 ip6_dst=:: ip6_nxt=59 ip6_proto=59 payload_len=0"),
    (IP(src="192.0.2.1", dst="198.51.100.7") / UDP(sport=7), "ip6_src=- ip6_len=- ip6_frag=- ip6_id=- ip_src=192.0.2.1 sport=7"),
]  # fmt: skip


def pcap(path, frames, link=1) -> str:
    data = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for frame in map(bytes, frames):
        data += struct.pack("<IIII", 1, 0, len(frame), len(frame)) + frame
    path.write_bytes(data)
    return str(path)


def lines(path) -> list[str]:
    return [line for line in path.read_text().splitlines() if not line.startswith("!")]


def summarise(tmp_path, frames, fields: str) -> list[str]:
    file, out = pcap(tmp_path / "in.pcap", frames), tmp_path / "out"
    ran(f"FromDump({file}, FORCE_IP true) -> ToIPSummaryDump({out}, FIELDS {fields});")
    return lines(out)


@pytest.mark.parametrize("padding", [0, 9])
def test_fields(padding, tmp_path):
    """Bytes after the packet, as of short frames, are no part of it; but ip_len is the frame's rest, as with Click."""
    names = list(dict.fromkeys(pair.partition("=")[0] for _, expected in EXAMPLES for pair in expected.split()))
    frames = [bytes(Ether() / packet) + bytes(padding) for packet, _ in EXAMPLES]
    found = summarise(tmp_path, frames, " ".join(name for name in names if name != "ip_len"))
    names.remove("ip_len")
    assert len(found) == len(EXAMPLES)
    for (_, expected), line in zip(EXAMPLES, found):
        values = dict(zip(names, line.split()))
        wanted = dict(pair.split("=", 1) for pair in expected.split() if not pair.startswith("ip_len="))
        assert {name: values[name] for name in wanted} == wanted


def test_what_click_says_of_packets_that_are_not_ip4(tmp_path):
    """Their length is the frame's, and the other fields of the IP header are missing."""
    frame = bytes(Ether() / HEADER / UDP()) + bytes(9)
    assert summarise(tmp_path, [frame], "ip_src ip_dst ip_ttl ip_id ip_hl ip_len ip_capture_len wire_len") == ["- - - - - 71 71 71"]


def test_a_chain_that_ends_nowhere(tmp_path):
    """More extension headers than are walked, and one that is longer than the packet: what follows isn't known."""
    long = HEADER.copy()
    for _ in range(9):
        long /= OPTIONS
    cut = HEADER / IPv6ExtHdrDestOpt(nh=6, len=200) / bytes(30)
    found = summarise(tmp_path, [Ether() / long / TCP(), Ether() / cut], "ip6_src ip6_nxt ip6_proto sport tcp_flags icmp6_type")
    assert found == ["2001:db8::1 60 - - - -", "2001:db8::1 60 - - - -"]


PACKET = bytes(HEADER / TCP(sport=20) / Raw(b"x"))


@pytest.mark.parametrize(
    "packet, fields, expected",
    [
        (PACKET, "ip6_src sport ip_src udp_len icmp6_type", ["2001:db8::1 20 - - -"]),
        (PACKET[:59], "sport ip6_src", ["!bad truncated IPv6 missing 2", "20 2001:db8::1"]),
        (PACKET[:39], "ip6_src", ["!bad IP version 6", "-"]),
        (PACKET[:52] + b"\x40" + PACKET[53:], "tcp_flags", ["!bad TCP header length 4", "-"]),
        (bytes(HEADER / IPv6ExtHdrFragment(nh=6, offset=2) / FRAGMENT), "tcp_seq", ["!bad fragmented TCP header", "-"]),
        (bytes(HEADER / TCP())[:4] + b"\0\x0a" + PACKET[6:50], "tcp_seq tcp_flags", ["!bad truncated TCP header", "0 -"]),
        (bytes(HEADER / ICMPv6EchoRequest())[:4] + b"\0\2" + bytes(HEADER / ICMPv6EchoRequest())[6:42], "icmp6_seq",
         ["!bad truncated ICMPv6 header", "-"]),
        (bytes(IP() / UDP()), "ip6_src icmp6_type", ["- -"]),
        (bytes(Raw(bytes(40))), "ip6_src", ["!bad IP version 0", "-"]),
    ],
)  # fmt: skip
def test_bad_packets(packet, fields, expected, tmp_path):
    file = pcap(tmp_path / "in.pcap", [packet], link=9)
    ran(f"FromDump({file}) -> MarkIPHeader -> ToIPSummaryDump({tmp_path}/out, BAD_PACKETS true, FIELDS {fields});")
    assert (tmp_path / "out").read_text().splitlines()[2:] == expected


NETWORK = "ip6_src ip6_dst ip6_tclass ip6_flow ip6_hlim ip6_fragoff ip6_id ip6_proto ip6_len"
TRANSPORT = "sport dport tcp_seq tcp_ack tcp_flags tcp_window tcp_opt udp_len icmp6_type icmp6_code icmp6_seq icmp6_mtu"


def test_what_is_written_is_read(tmp_path):
    """But for extension headers, and so for lengths of packets that have some."""
    file = pcap(tmp_path / "in.pcap", generate(900, seed=4, mix=IPV6))
    ran(
        f"FromDump({file}) -> Classifier(12/86dd) -> Strip(14) -> CheckIP6Header"
        f"-> ToIPSummaryDump({tmp_path}/lines, FIELDS {NETWORK} {TRANSPORT})"
        f"-> ToIPSummaryDump({tmp_path}/network, FIELDS {NETWORK}) -> ToIPSummaryDump({tmp_path}/records, BINARY true, FIELDS {NETWORK});"
    )
    ran(
        f"FromIPSummaryDump({tmp_path}/lines) -> ToIPSummaryDump({tmp_path}/lines-again, FIELDS {NETWORK} {TRANSPORT});"
        f"FromIPSummaryDump({tmp_path}/records) -> ToIPSummaryDump({tmp_path}/records-again, FIELDS {NETWORK});"
    )
    assert len(lines(tmp_path / "network")) > 300
    for first, second in (("lines", "lines-again"), ("network", "records-again")):
        described, made = lines(tmp_path / first), lines(tmp_path / second)
        assert len(described) == len(made)
        for one, other in zip(described, made):
            # Fields that the summary doesn't have may be present in the packet made from it. A record has a number for
            # everything.
            assert [a for a in zip(one.split(), other.split()) if a[0] not in ("-", "?", a[1])] == []


def test_a_record(tmp_path):
    file = pcap(tmp_path / "in.pcap", [Ether() / HEADER / IPv6ExtHdrFragment(nh=17, m=1, id=77) / UDP(sport=5), Ether() / IP() / UDP()])
    ran(f"FromDump({file}, FORCE_IP true) -> ToIPSummaryDump({tmp_path}/out, BINARY true, "
        "FIELDS ip6_src ip6_flow ip6_hlim ip6_frag ip6_fragoff ip6_id ip6_proto sport);")  # fmt: skip
    records = (tmp_path / "out").read_bytes().partition(b"!binary\n")[2]
    fields = IPv6Address("2001:db8::1").packed + struct.pack("!IBcHIBH", 0x12345, 9, b"F", 0x2000, 77, 17, 5)
    other = bytes(16) + struct.pack("!IBBHIBH", 0, 0, 0, 0, 0, 0, 53)
    assert records == struct.pack("!I", 4 + len(fields)) + fields + struct.pack("!I", 4 + len(other)) + other


MADE = IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=100)
ADDRESSES = "2001:db8::1 2001:db8::2"


def packets(text: str) -> list[bytes]:
    escaped = text.replace('"', '\\"')
    way = f'FromIPSummaryDump(DATA "{escaped}", CHECKSUM true) -> EtherEncap(0, 0:0:0:0:0:0, 0:0:0:0:0:0) -> Queue -> ToDevice(a);'
    with settled(way) as router:
        return [frame[14:] for frame in router.collect("a")]


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            "!data ip6_src ip6_dst ip6_hlim ip6_tclass ip6_flow ip6_nxt\n%s 3 43 74565 59",
            IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=3, tc=43, fl=74565, nh=59),
        ),
        (
            "!data ip6_src ip6_dst ip6_ecn ip6_dscp ip6_proto\n%s ce 10 59",
            IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=100, tc=43, nh=59),
        ),
        ('!data ip6_src ip6_dst sport dport ip6_proto payload\n%s 1 2 U "a b"', MADE / UDP(sport=1, dport=2) / Raw(b"a b")),
        (
            "!data ip6_src ip6_dst sport dport tcp_seq tcp_flags tcp_opt\n%s 1 2 7 S mss1400",
            MADE / TCP(sport=1, dport=2, seq=7, flags="S", window=0, options=[("MSS", 1400)]),
        ),
        (
            "!proto 58\n!data ip6_src ip6_dst icmp6_type icmp6_flowid icmp6_seq icmp6_mtu\n%s 128 258 3 9",
            MADE / ICMPv6EchoRequest(id=258, seq=3),
        ),
        ("!proto 58\n!data ip6_src ip6_dst icmp6_type icmp6_mtu icmp6_seq\n%s 2 1400 9", MADE / ICMPv6PacketTooBig(mtu=1400)),
        (
            "!data ip6_src ip6_dst ip6_proto ip6_id ip6_fragoff payload\n%s 17 77 24+ abcdefgh",
            MADE / IPv6ExtHdrFragment(nh=17, offset=3, m=1, id=77) / Raw(b"abcdefgh"),
        ),
        ("!data ip6_src ip6_dst ip6_proto ip6_frag ip6_id\n%s 59 . -", IPv6(src="2001:db8::1", dst="2001:db8::2", hlim=100, nh=59)),
        ("!data ip6_src ip6_dst ip6_len ip6_proto\n%s 60 U", MADE / UDP(sport=0, dport=0) / Raw(bytes(12))),
        ("!flowid 2001:db8::1 1000 2001:db8::2 53 U\n!data timestamp\n1.5", MADE / UDP(sport=1000, dport=53)),
        ("!data ip_src ip_dst ip6_src ip6_dst ip6_proto sport\n- - %s U 7", MADE / UDP(sport=7, dport=0)),
    ],
)  # fmt: skip
def test_lines_become_packets(text, expected):
    assert packets(text.replace("%s", ADDRESSES)) == [bytes(expected)]


def test_a_line_is_of_one_protocol(capfd):
    """Fields of the other one are left out, and so is a flow whose addresses are of both."""
    (packet,) = packets("!data ip_src ip6_src sport ip_proto\n1.2.3.4 2001:db8::1 7 U")
    assert packet == bytes(IP(src="1.2.3.4", dst="0.0.0.0", id=0, ttl=100) / UDP(sport=7, dport=0))
    assert packets("!flowid 2001:db8::1 1 1.2.3.4 2 U\n!data timestamp\n1") == [b""]
    assert "bad !flowid specification" in capfd.readouterr().err


def test_an_ethernet_header_has_the_type():
    text = 'FromIPSummaryDump(DATA "!data eth_src ip6_src ip6_dst ip6_proto sport\n1:2:3:4:5:6 2001:db8::1 2001:db8::2 U 7", CHECKSUM true)'
    with settled(f"{text} -> Queue -> ToDevice(a);") as router:
        (frame,) = router.collect("a")
    assert frame == bytes(Ether(src="01:02:03:04:05:06", dst="00:00:00:00:00:00") / MADE / UDP(sport=7, dport=0))


def test_packets_that_stand_for_several(tmp_path):
    text = 'FromIPSummaryDump(DATA "!data first_timestamp timestamp count ip6_len ip6_src ip6_proto\n1 2 3 300 ::1 U", MULTIPACKET true)'
    ran(f"{text} -> ToIPSummaryDump({tmp_path}/out, FIELDS timestamp ip6_len udp_len);")
    assert lines(tmp_path / "out") == ["1.000000 100 60", "1.500000 100 60", "2.000000 100 60"]

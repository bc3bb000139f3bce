"""FromIPSummaryDump: what its lines say against packets that scapy makes, and what happens where they make no sense."""

import gzip

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_RR
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.elements.running import ran, running, settled

from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import read_text
from clickbpf.vocabulary.library import Library


def source(lines: str, *arguments: str) -> str:
    """A reader of these lines whose packets leave by the device `a`."""
    quoted = lines.replace("\\", "\\\\").replace('"', '\\"')
    return f'f :: FromIPSummaryDump({", ".join((f"""DATA "{quoted}" """, *arguments))}) -> Queue -> ToDevice(a);'


def packets(lines: str, *arguments: str, before: str = "") -> list[bytes]:
    """What the lines become: a device sends no frame shorter than an Ethernet header, so each packet is after 14 zero bytes."""
    text = source(lines, *arguments).replace("-> Queue", f"-> EtherEncap(0, 0:0:0:0:0:0, 0:0:0:0:0:0) {before}-> Queue")
    with settled(text) as router:
        return [frame[14:] for frame in router.collect("a")]


SRC, DST = "192.0.2.1", "198.51.100.7"
HEADER = {"src": SRC, "dst": DST, "id": 0, "ttl": 100}


def built(packet) -> bytes:
    return bytes(packet)


@pytest.mark.parametrize(
    "lines, expected",
    [
        (
            "!data ip_src ip_dst ip_ttl ip_tos ip_id ip_proto\n1.2.3.4 5.6.7.8 3 16 77 47",
            IP(src="1.2.3.4", dst="5.6.7.8", ttl=3, tos=16, id=77, proto=47),
        ),
        ("!data src dst ip_ecn ip_dscp\n%s %s ce 10", IP(**HEADER, tos=43) / TCP(sport=0, dport=0, flags=0, window=0)),
        (
            "!data src dst sport dport proto tcp_seq tcp_ack tcp_flags tcp_window tcp_urp\n%s %s 0x10 020 T 7 8 FSRPAUECN 9 10",
            IP(**HEADER) / TCP(sport=16, dport=16, seq=7, ack=8, flags="FSRPAUECN", window=9, urgptr=10),
        ),
        (
            "!data src dst sport dport tcp_opt\n%s %s 1 2 mss1400;nop;wscale10;sackok;ts5:6",
            IP(**HEADER)
            / TCP(
                sport=1,
                dport=2,
                flags=0,
                window=0,
                options=[("MSS", 1400), ("NOP", None), ("WScale", 10), ("SAckOK", b""), ("Timestamp", (5, 6))],
            ),
        ),
        (
            "!data src dst sport dport tcp_sack\n%s %s 1 2 sack95-98,sack1:2",
            IP(**HEADER) / TCP(sport=1, dport=2, flags=0, window=0, options=[("SAck", (95, 98, 1, 2))]),
        ),
        ('!data src dst sport dport proto payload\n%s %s 1 2 U "a\\x00 b"', IP(**HEADER) / UDP(sport=1, dport=2) / Raw(b"a\0 b")),
        ("!data 'ip src' \"ip dst\" 'ip proto' sport\n%s %s U 5", IP(**HEADER) / UDP(sport=5, dport=0)),
        ("!contents 'ip src' ip_dst ip_proto 'unknown one' sport\n%s %s U 7 5", IP(**HEADER) / UDP(sport=5, dport=0)),
        ("!data src dst proto payload_len\n%s %s U 3", IP(**HEADER) / UDP(sport=0, dport=0) / Raw(bytes(3))),
        ("!proto I\n!data src dst icmp_type icmp_flowid icmp_seq\n%s %s echo 258 3", IP(**HEADER) / ICMP(type=8, id=258, seq=3)),
        (
            "!proto icmp\n!data src dst icmp_type_name icmp_code_name icmp_nextmtu\n%s %s unreachable needfrag 1400",
            IP(**HEADER) / ICMP(type=3, code=4, nexthopmtu=1400),
        ),
        ("!proto icmp\n!data src dst icmp_type\n%s %s 13", IP(**HEADER) / ICMP(type=13, ts_ori=0, ts_rx=0, ts_tx=0)),
        ("!flowid %s 1000 %s 53 U\n!data timestamp\n1.5", IP(**HEADER) / UDP(sport=1000, dport=53)),
        (
            "!data src dst ip_frag\n%s %s F",
            IP(**HEADER, flags="MF", proto=6) / Raw(built(TCP(sport=0, dport=0, flags=0, window=0, chksum=0))),
        ),
        ("!data src dst ip_fragoff payload\n%s %s 24+! abcd", IP(**HEADER, flags="MF+DF", frag=3, proto=6) / Raw(b"abcd")),
        ("!IPSummaryDump 1.0\n!data src dst ip_fragoff payload\n%s %s 3 abcd", IP(**HEADER, frag=3, proto=6) / Raw(b"abcd")),
        (
            "!data src dst sport dport ip_opt proto\n%s %s 1 2 rr{10.0.0.1}+2 U",
            IP(**HEADER, options=[IPOption_RR(pointer=8, routers=["10.0.0.1", "0.0.0.0", "0.0.0.0"])]) / UDP(sport=1, dport=2),
        ),
        ("!data src dst ip_len proto\n%s %s 30 U", IP(**HEADER) / UDP(sport=0, dport=0) / Raw(bytes(2))),
    ],
)
def test_lines_become_packets(lines, expected):
    assert packets(lines.replace("%s", SRC, 1).replace("%s", DST, 1), "CHECKSUM true") == [built(expected)]


def test_headers_fill_what_the_payload_leaves():
    """A length of 60 leaves 17 bytes beside TCP's 20, IP's 20 and a payload of 3: four words of options, one byte of nothing."""
    (packet,) = packets(f"!data src dst ip_len payload\n{SRC} {DST} 60 abc", "CHECKSUM true")
    found = IP(packet)
    assert (found.len, found[TCP].dataofs, bytes(found[TCP].payload)) == (60, 9, b"abc\0")


def test_ethernet_and_what_else_is_no_ip():
    lines = "!data eth_src eth_dst ip_src proto\n1:2:3:4:5:6 00-0A-95-A6-D9-BC 1.2.3.4 U\n!data eth_src eth_type\n1:2:3:4:5:6 0806"
    with settled(source(lines, "CHECKSUM true")) as router:
        ip, arp = router.collect("a")
    expected = (
        Ether(src="01:02:03:04:05:06", dst="00:0a:95:a6:d9:bc") / IP(src="1.2.3.4", dst="0.0.0.0", id=0, ttl=100) / UDP(sport=0, dport=0)
    )
    assert ip == bytes(expected)
    assert arp == bytes(6) + bytes([1, 2, 3, 4, 5, 6]) + b"\x08\x06"


def test_what_is_missing_is_annotated(tmp_path):
    """Packets end after what the line says; EXTRA_LENGTH makes up for it, which ToDump writes as the length on the wire."""
    text = f'FromIPSummaryDump(DATA "!data timestamp proto ip_len\n5.25 U 1000") -> ToDump({tmp_path}/out, ENCAP IP) -> Discard;'
    ran(text)
    record = (tmp_path / "out").read_bytes()[24:]
    assert [int.from_bytes(record[i : i + 4], "little") for i in range(0, 16, 4)] == [5, 250_000_000, 28, 1000]


def test_names_mean_what_the_router_says():
    lines = "!data src dst proto\nclient server.example 17"
    text = source(lines, "CHECKSUM true").replace("Queue", "EtherEncap(0, 0:0:0:0:0:0, 0:0:0:0:0:0) -> Queue")
    with settled(f"AddressInfo(client {SRC}, server.example {DST}); {text}") as router:
        (frame,) = router.collect("a")
    assert (IP(frame[14:]).src, IP(frame[14:]).dst) == (SRC, DST)


def test_defaults_by_arguments():
    (packet,) = packets("5 6", "FIELDS tcp_seq tcp_ack", f"FLOWID {SRC} 10 {DST} 20 T", "CHECKSUM true")
    assert packet == built(IP(**HEADER) / TCP(sport=10, dport=20, seq=5, ack=6, flags=0, window=0))
    assert [p[9] for p in packets("!data src\n1.2.3.4", "PROTO 132")] == [132]


def test_mistakes_are_told_with_their_lines(capfd):
    lines = "!data src nonsense payload_md5\nx y z\nx y z\n1.2.3.4 - -\n!proto 256\n!flowid 1 2 3\n!data\n# a comment\n!some other line"
    assert len(packets(lines)) == 1
    assert capfd.readouterr().err.splitlines() == [
        "<data>:1: warning: unknown content type 'nonsense'",
        "<data>:1: warning: content type 'payload_md5' ignored on input",
        "<data>:2: packet parse error",
        "<data>:5: bad protocol in !proto",
        "<data>:6: bad !flowid specification",
        "<data>:7: no contents specified",
    ]


def test_lines_may_end_in_any_way():
    assert len(packets("!data src\r\n1.2.3.4\r2.3.4.5\n\n3.4.5.6")) == 3


@pytest.mark.parametrize("count, length, lengths", [(3, 100, [33, 33, 34]), (2, 30, [28, 28])])
def test_a_line_for_several_packets(count, length, lengths):
    """They share the bytes; none is shorter than its headers."""
    lines = f"!data first_timestamp timestamp count ip_len proto\n1 3 {count} {length} U"
    with settled(source(lines, "MULTIPACKET true").replace("Queue", "c :: Counter -> Queue")) as router:
        assert router.handlers.read("c", "count") == str(count)
        assert [int.from_bytes(frame[2:4]) for frame in router.collect("a")] == lengths


def test_timing_keeps_the_intervals():
    with settled(source("!data timestamp src\n10 1.2.3.4\n10.5 1.2.3.4\n12 1.2.3.4", "TIMING true"), clock=10**9) as router:
        seen = [len(router.collect("a"))]
        for step in (499_999_999, 1, 1_500_000_000):
            router.advance(step)
            seen.append(len(router.collect("a")))
    assert seen == [1, 0, 1, 1]


def test_handlers_and_stop(tmp_path):
    file = tmp_path / "in"
    file.write_text("!IPSummaryDump 1.3\n!data src\n1.2.3.4\n")
    with settled(f"f :: FromIPSummaryDump({file}, STOP true, ACTIVE false, SAMPLE 0.5) -> Queue -> ToDevice(a);") as router:
        read = {name: router.handlers.read("f", name) for name in ("active", "encap", "filename", "filesize", "sampling_prob", "filepos")}
        assert read == {"active": "false", "encap": "IP", "filename": str(file), "filesize": "37", "sampling_prob": "0.5", "filepos": "0"}
        assert router.runs == 1
        router.handlers.write("f", "active", "true")
        router.settle()
        assert (router.runs, router.handlers.read("f", "filepos")) == (0, "37")


def test_pulled_and_compressed(tmp_path):
    file = tmp_path / "in.gz"
    file.write_bytes(gzip.compress(b"!data src\n1.2.3.4\n\n5.6.7.8\n"))
    with settled(f"FromIPSummaryDump({file}) -> Unqueue -> c :: Counter -> Discard;") as router:
        assert router.handlers.read("c", "count") == "2"


def test_files_that_are_not_there(tmp_path):
    (tmp_path / "empty").touch()
    for name, says in (("nowhere", "No such file"), ("empty", "empty file")):
        text = f"f :: FromIPSummaryDump({tmp_path}/{name}, STOP true) -> Queue -> ToDevice(a);"
        with pytest.raises(ClickError, match=f"'f': .*{name}: {says}"):
            running(text).__enter__()
        with settled(text.replace("STOP true", "STOP true, ALLOW_NONEXISTENT true")) as router:
            assert router.runs == 0


@pytest.mark.parametrize(
    "arguments, says", [("x, DATA y", "FILENAME and DATA conflict"), ("STOP true", "FILENAME: .*required|required argument missing")]
)
def test_arguments_that_clash(arguments, says):
    with pytest.raises(ClickError, match=says):
        check(read_text(f"FromIPSummaryDump({arguments}) -> Discard;"), Library.standard())


def test_records_that_lie_about_their_length(tmp_path, capfd):
    head = b"!data ip_src tcp_opt\n!binary\n"
    whole = b"\0\0\0\x0b\1\2\3\4\2\3\3"
    for tail, count in (
        (whole + b"\x7f\xff\xff\xff1234", 1),
        (whole + b"\0\0\0\3", 1),
        (b"\0\0\0\x06\1\2" + whole, 1),
        (b"\0\0\0\x09\1\2\3\4\xff" + whole, 2),
    ):
        (tmp_path / "in").write_bytes(head + tail)
        with settled(f"FromIPSummaryDump({tmp_path}/in) -> c :: Counter -> Discard;") as router:
            assert router.handlers.read("c", "count") == str(count), tail
    assert "in:record 2: binary record too short" in capfd.readouterr().err


def test_doubtful_probabilities():
    for sample, says in (("2", "reduced to 1"), ("0", "emitting no packets")):
        checked = check(read_text(f"FromIPSummaryDump(/dev/null, SAMPLE {sample}) -> Discard;"), Library.standard())
        (instance,) = (e for e in checked.instances.values() if type(e).__name__ == "FromIPSummaryDump")
        (warning,) = instance.warnings()
        assert says in warning.message
    with running(source("!data src\n" + "1.2.3.4\n" * 2000, "SAMPLE 0.25").replace("Queue", "c :: Counter -> Queue")) as router:
        router.seed(1)
        router.settle()
        # Six standard deviations from 500.
        assert 380 < int(router.handlers.read("c", "count")) < 620


def test_lines_and_fields_without_an_end(tmp_path, capfd):
    """A file doesn't decide how much memory or time it takes: a line of a MiB is an empty one, and of 300 names 256 are fields."""
    known = "ip_id ip_src"
    lines = f"!data {known}\n1 1.0.0.1\n2{' ' * (2 << 20)}1.0.0.2\n3 1.0.0.3\n!data {known}{' ip_len' * 298}\n4 1.0.0.4\n"
    (tmp_path / "in").write_text(lines)
    ran(f"FromIPSummaryDump({tmp_path}/in) -> ToIPSummaryDump({tmp_path}/out, HEADER false, FIELDS {known}) -> Discard;")
    assert (tmp_path / "out").read_text() == "1 1.0.0.1\n3 1.0.0.3\n4 1.0.0.4\n"
    assert capfd.readouterr().err.splitlines() == [f"{tmp_path}/in:3: line too long", f"{tmp_path}/in:5: more than 256 fields"]
    long = b"!IPSummaryDump 1.3\n!data ip_id\n!binary\n" + (6).to_bytes(4) + b"\0\1" + ((1 << 20) + 5).to_bytes(4) + bytes((1 << 20) + 1)
    (tmp_path / "in").write_bytes(long + (6).to_bytes(4) + b"\0\2")
    ran(f"FromIPSummaryDump({tmp_path}/in) -> ToIPSummaryDump({tmp_path}/out, HEADER false, FIELDS ip_id) -> Discard;")
    assert (tmp_path / "out").read_text() == "1\n"
    assert "binary record too long" in capfd.readouterr().err

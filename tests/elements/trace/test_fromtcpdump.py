"""FromTcpdump: lines of tcpdump 3, and the packets that Click 2.1 makes of them; of fragments and ECT it makes others (RFC 791, 3168)."""

import bz2
import gzip
import lzma

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.utils import RawPcapReader

from clickbpf.errors import ClickError

FIELDS = (
    "timestamp ip_src sport ip_dst dport ip_proto tcp_flags tcp_seq tcp_ack tcp_window tcp_urp tcp_opt payload_len "
    "ip_tos ip_id ip_fragoff ip_ttl ip_capture_len"
)
#: A connection, from its beginning on.
CONNECTION = """\
1018330170.887165 192.150.187.37.3153 > 18.26.4.44.21: S 2195313811:2195313811(0) win 5840 \
<mss 1460,sackOK,timestamp 86 0,nop,wscale 7> (DF) [tos 0x10] (ttl 64, id 5, len 60)
1018330170.962703 18.26.4.44.ftp > 192.150.187.37.3153: S 2484225252:2484225252(0) ack 2195313812 win 100 (DF)
1018330170.972703 192.150.187.37.3153 > 18.26.4.44.21: . ack 1 win 300
# a comment

1018330170.982703 192.150.187.37.3153 > 18.26.4.44.21: P 1:6(5) ack 1 win 300 <nop,nop,sack sack 1 {48:148} > (DF) (ttl 64, id 8)
1018330171.082703 18.26.4.44.21 > 192.150.187.37.3153: F [tcp sum ok] 1:1(0) ack 6 win 200 urg 3 (ttl 60, id 9, len 40)
"""
CONNECTION_READ = """\
1018330170.887165 192.150.187.37 3153 18.26.4.44 21 T S 2195313811 0 5840 0 mss1460;sackok;ts86:0;wscale7 0 16 5 0! 64 60
1018330170.962703 18.26.4.44 21 192.150.187.37 3153 T SA 2484225252 2195313812 100 0 . 0 0 0 0! 2 40
1018330170.972703 192.150.187.37 3153 18.26.4.44 21 T A 2195313812 2484225253 300 0 . 0 0 0 0 2 40
1018330170.982703 192.150.187.37 3153 18.26.4.44 21 T PA 2195313812 2484225253 300 0 sack2484225300-2484225400 5 0 8 0! 64 52
1018330171.082703 18.26.4.44 21 192.150.187.37 3153 T FA 2484225253 2195313817 200 3 . 0 0 9 0 60 40
"""


@pytest.fixture
def read(router, tmp_path):
    """read(text) is the summary of what is read."""

    def summary(text: str | bytes, arguments: str = "") -> str:
        (tmp_path / "in").write_bytes(text.encode() if isinstance(text, str) else text)
        written = f"ToIPSummaryDump({tmp_path}/out, HEADER false, FIELDS {FIELDS})"
        router(f"FromTcpdump({tmp_path}/in{arguments}) -> {written} -> Discard;").close()
        return (tmp_path / "out").read_text()

    return summary


def test_a_connection(read):
    assert read(CONNECTION) == CONNECTION_READ


@pytest.mark.executors("native")
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files(read, pack):
    assert read(pack(CONNECTION.encode())) == CONNECTION_READ


@pytest.mark.executors("native")
@pytest.mark.parametrize(
    "said, meant",
    [
        ("10.0.0.1.53 > 10.0.0.2.1000:  [udp sum ok] udp 20 (DF) (ttl 33, id 7, len 48)", "53 1000 U - - - - - - 20 0 7 0! 33 28"),
        ("10.0.0.1.53 > 10.0.0.2.1000: [bad udp cksum 1!] udp 20", "53 1000 U - - - - - - 20 0 0 0 2 28"),
        ("10.0.0.1.domain > 10.0.0.2.1000: udp 0", "53 1000 U - - - - - - 0 0 0 0 2 28"),
        ("10.0.0.1 > 10.0.0.2: icmp: echo request (DF)", "- - I - - - - - - 0 0 0 0! 2 20"),
        ("10.0.0.1 > 10.0.0.2: (frag 77:24@16+) [tos 0x3,ECT(0)] (ttl 3)", "- - 0 - - - - - - 24 2 77 16+ 3 20"),
        ("10.0.0.1 > 10.0.0.2: icmp: (frag 77:24@16) [ECT(1)]", "- - I - - - - - - 24 1 77 16 2 20"),
        ("10.0.0.1.9 > 10.0.0.2.1000: R 5:5(0) win 0 [tos 0x10,CE]", "9 1000 T R 5 0 0 0 . 0 19 0 0 2 40"),
        ("10.0.0.1.9 > 10.0.0.2.1000: SWE 5:15(10) win 7", "9 1000 T SEC 5 0 7 0 . 10 0 0 0 2 40"),
        ("10.0.0.1.9 > 10.0.0.2.1000: S 5:15(10) win 7 <mss 9,unknown 5> (len 54)", "9 1000 T S 5 0 7 0 mss9 10 0 0 0 2 44"),
    ],
)
def test_lines(read, said, meant):
    addresses = meant.split(" ", 2)
    expected = f"1.500000 10.0.0.1 {addresses[0]} 10.0.0.2 {addresses[1]} {addresses[2]}\n"
    assert read(f"1.5 {said}\n") == expected


@pytest.mark.executors("native")
def test_absolute_numbers_stay(read):
    """tcpdump -S: an acknowledgement that lies beyond what relative ones begin with shows it."""
    lines = (
        "1.0 10.0.0.1.9 > 10.0.0.2.80: S 50000:50000(0) win 1\n"
        "1.1 10.0.0.2.80 > 10.0.0.1.9: S 90000:90000(0) ack 50001 win 1\n"
        "1.2 10.0.0.1.9 > 10.0.0.2.80: P 50001:50011(10) ack 90001 win 1\n"
    )
    assert " T PA 50001 90001 1 " in read(lines)


def test_other_lines_are_reported_once(read, capfd):
    good = "1.5 10.0.0.1 > 10.0.0.2: icmp: echo\n"
    starts = ("garbage", "1.5 10.0.0.1 10.0.0.2: icmp", "1.5 nobody > 10.0.0.2: icmp", "1.5 10.0.0.1.x > 10.0.0.2.1: udp 1")
    wrong = "".join(f"{line}\n" for line in (*starts, "\xff", good.strip() + " " * 99999 + "x"))
    assert len(read(good + wrong + good).splitlines()) == 2
    assert capfd.readouterr().err.count("in:2: packet parse error") == 1


def test_checksums(router, tmp_path):
    (tmp_path / "in").write_text(CONNECTION + "1018330172.08 10.0.0.1.53 > 10.0.0.2.1000: udp 20\n")
    router(f"FromTcpdump({tmp_path}/in, CHECKSUM true) -> ToDump({tmp_path}/out.pcap, ENCAP IP);").close()
    packets = [data for data, _ in RawPcapReader(str(tmp_path / "out.pcap"))]
    assert len(packets) == 6 and len(packets[3]) == 57
    for data in packets:
        again = IP(data)
        transport = again[TCP] if TCP in again else again[UDP]
        told = again.chksum, transport.chksum
        again.chksum = transport.chksum = None
        again = IP(bytes(again))
        assert told == (again.chksum, (again[TCP] if TCP in again else again[UDP]).chksum)


def test_handlers(router, tmp_path):
    (tmp_path / "in").write_text(CONNECTION)
    r = router(f"f :: FromTcpdump({tmp_path}/in, ACTIVE false, SAMPLE 0.5) -> c :: Counter -> Discard;")
    assert (r.read("f.encap"), r.read("f.active"), r.read("f.sampling_prob"), r.read("c.count")) == ("IP", "false", "0.5", "0")
    assert r.read("f.filesize") == str(len(CONNECTION)) and r.read("f.filename") == f"{tmp_path}/in"


@pytest.mark.executors("native")
def test_long_files_are_read_while_they_are_translated(router, tmp_path):
    """More than a pipe holds; and nobody waits for the rest of a file that is not read to its end."""
    (tmp_path / "in").write_text("1.5 10.0.0.1 > 10.0.0.2: icmp: echo\n" * 20000)
    r = router(f"f :: FromTcpdump({tmp_path}/in) -> c :: Counter -> Discard; Idle -> Discard;")
    r.close()
    again = router(f"f :: FromTcpdump({tmp_path}/in, ACTIVE false) -> c :: Counter -> Discard;")
    again.write("f.active", "true")
    assert again.read("c.count") == "20000"
    assert again.read("f.filepos") == str(20000 * 36)


def test_mistakes(router, tmp_path, capfd):
    text = "FromTcpdump({}) -> Discard;"
    (tmp_path / "empty").touch()
    for name, says in (("empty", "empty file"), ("nowhere", "No such file")):
        with pytest.raises(ClickError, match=says):
            router(text.format(tmp_path / name))
    (tmp_path / "other").write_text("IP 10.0.0.1\n")
    router(text.format(tmp_path / "other")).close()
    assert "first line suspicious; is this a tcpdump output file?" in capfd.readouterr().err

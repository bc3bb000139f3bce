"""ToIPFlowDumps: files for flows. The lines of TCP are those that Click 2.1 writes of the same packets."""

import gzip
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import wrpcap

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

LEFT, RIGHT = {"src": "192.150.187.37", "dst": "18.26.4.44"}, {"src": "18.26.4.44", "dst": "192.150.187.37"}
THERE, BACK = {"sport": 3153, "dport": 21}, {"sport": 21, "dport": 3153}
FIRST, OTHER = 2195313811, 2484225252
OPTIONS = [("MSS", 1460), ("SAckOK", b""), ("Timestamp", (1, 0)), ("NOP", None), ("WScale", 7)]
BLOCKS = [("NOP", None), ("NOP", None), ("SAck", (OTHER + 48, OTHER + 148))]

#: Microseconds since the first packet, and packets of two flows and of none.
PACKETS = [
    (0, IP(id=5, **LEFT) / TCP(**THERE, seq=FIRST, flags="S", window=100, options=OPTIONS)),
    (75_538, IP(id=6, **RIGHT) / TCP(**BACK, seq=OTHER, ack=FIRST + 1, flags="SA", window=200)),
    (85_538, IP(id=7, **LEFT) / TCP(**THERE, seq=FIRST + 1, ack=OTHER + 1, flags="A", window=300)),
    (95_538, IP(id=8, **LEFT) / TCP(**THERE, seq=FIRST + 1, ack=OTHER + 1, flags="PA", window=300, options=BLOCKS) / b"hello"),
    (500_000, IP(id=9, src="10.0.0.1", dst="10.0.0.2") / UDP(sport=53, dport=1000) / b"abcd"),
    (900_000, IP(id=10, src="10.0.0.2", dst="10.0.0.1") / UDP(sport=1000, dport=53) / b"abcdefg"),
    (1_000_000, IP(id=11, **RIGHT) / ICMP(type=3, code=1) / IP(id=7, **LEFT) / TCP(**THERE, seq=FIRST + 1)),
    (1_100_000, IP(id=11, **RIGHT) / ICMP(type=8)),
    (1_395_538, IP(id=12, **RIGHT) / TCP(**BACK, seq=OTHER + 1, ack=FIRST + 6, flags="FA", window=200)),
]
START = 1_018_330_170

TCP_FILE = """!IPSummaryDump 1.3
!flowid 192.150.187.37 3153 18.26.4.44 21 T
!aggregate 1
!data ntimestamp direction tcp_flags tcp_seq payload_len tcp_ack tcp_ntopt
!firstseq > 2195313811
!firstseq < 2484225252
!firsttime 1018330169.999999999
0.000000001 > S 0 0 0
0.075538001 < SA 0 0 1
0.085538001 > A 1 0 1
0.095538001 > PA 1 5 1
#1018330171.000000 < ICMP_error
1.395538001 < FA 1 0 6
"""
UDP_FILE = """!IPSummaryDump 1.3
!flowid 10.0.0.1 53 10.0.0.2 1000 U
!aggregate 2
!data ntimestamp direction payload_len
!firsttime 1018330170.499999999
0.000000001 > 4
0.400000001 < 7
"""


@pytest.fixture
def dumps(router, tmp_path):
    """dumps("%n", "MINCOUNT 3") are the files, by their names, that are there when the router has ended."""

    def write(pattern: str, arguments: str = "", between: str = "->", before: str = "AggregateIPFlows(ICMP true)") -> dict[str, str]:
        packets = []
        for time, packet in PACKETS:
            frame = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / packet
            frame.time = START + time / 1_000_000
            packets.append(frame)
        wrpcap(str(tmp_path / "in.pcap"), packets)
        folder = tmp_path / "out"
        comma = ", " if arguments else ""
        router(
            f"FromDump({tmp_path}/in.pcap, FORCE_IP true) -> f :: {before} {between} ToIPFlowDumps({folder}/{pattern}{comma}{arguments})"
        ).close()
        return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}

    return write


def texts(files: dict[str, Path]) -> list[str]:
    return [path.read_text() for path in files.values()]


@pytest.mark.parametrize("between", ["->", "-> Queue ->"])
@pytest.mark.parametrize("arguments", ["", "NOTIFIER f"])
def test_a_file_for_each_flow(dumps, between, arguments):
    assert texts(dumps("%n", arguments, between)) == [TCP_FILE, UDP_FILE]


def test_names(dumps):
    names = list(dumps("%p/%03n-%4x-%.5X/%s-%.3d.%S%%%D"))
    assert names == ["T/001-___1-1/192.150.187.37-44.3153%21", "U/002-___2-2/10.0.0.1-2.53%1000"]
    assert {"0.1.0.192", "0.2.0.10"} < set(dumps("%.0n.%.3n.%.4n.%.0s"))


def test_columns(dumps):
    tcp, udp = texts(dumps("%n", "TCP_OPT true, TCP_WINDOW true, IP_ID true"))
    assert "!data ntimestamp direction ip_id tcp_flags tcp_seq payload_len tcp_ack tcp_window tcp_ntopt\n" in tcp
    assert "0.000000001 > 5 S 0 0 0 100 mss1460;sackok;wscale7\n" in tcp
    assert "0.075538001 < 6 SA 0 0 1 200\n" in tcp
    assert "0.095538001 > 8 PA 1 5 1 300 sack48-148\n" in tcp
    assert "0.400000001 < 10 7\n" in udp


def test_absolute_numbers(dumps):
    tcp, udp = texts(dumps("%n", "ABSOLUTE_TIME true, ABSOLUTE_SEQ true, ALL_TCP_OPT true"))
    assert "!first" not in tcp + udp
    assert f"1018330170.000000 > S {FIRST} 0 0 mss1460;sackok;ts1:0;wscale7\n" in tcp
    assert f"1018330170.095538 > PA {FIRST + 1} 5 {OTHER + 1} sack{OTHER + 48}-{OTHER + 148}\n" in tcp


def test_small_flows_leave_no_file(dumps):
    assert list(dumps("%n", "MINCOUNT 3")) == ["1"]
    assert list(dumps("n%n", "MINCOUNT 2")) == ["1", "n1", "n2"]


def test_files_can_be_compressed(dumps):
    files = dumps("%n", "GZIP true")
    assert list(files) == ["1.gz", "2.gz"]
    assert [gzip.decompress(path.read_bytes()).decode() for path in files.values()] == [TCP_FILE, UDP_FILE]


def test_records_can_be_read_again(dumps, router, tmp_path):
    files = dumps("%n", "BINARY true, TCP_WINDOW true, IP_ID true")
    router(
        f"FromIPSummaryDump({files['1']}) -> ToIPSummaryDump({tmp_path}/again, HEADER false, "
        "FIELDS ntimestamp direction tcp_flags tcp_seq payload_len tcp_ack tcp_window ip_id) -> Discard;"
    ).close()
    assert (tmp_path / "again").read_text().splitlines() == [
        "0.000000001 > S 0 0 0 100 5",
        "0.075538001 < SA 0 0 1 200 6",
        "0.085538001 > A 1 0 1 300 7",
        "0.095538001 > PA 1 5 1 300 8",
        "1.395538001 < FA 1 0 6 200 12",
    ]


def test_packets_without_a_flow(dumps, capfd):
    assert not dumps("%n", before="Null")
    assert " :: ToIPFlowDumps: warning: saw no packets with aggregate annotations" in capfd.readouterr().err


@pytest.mark.executors("native")
def test_flows_end_when_the_notifier_says_so(router, tmp_path):
    """A quarter of a second later, for packets that are on their way."""
    r = router(
        "FromDevice(in) -> MarkIPHeader(14) -> SetTimestamp -> f :: AggregateIPFlows"
        f"-> ToIPFlowDumps({tmp_path}/%n, NOTIFIER f) -> Discard;",
        simtime=True,
    )
    packet = Ether() / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=1, dport=2)
    r.send("in", packet)
    r.write("f.clear")
    r.advance(0.2)
    assert not (tmp_path / "1").exists()
    r.advance(0.1)
    assert (tmp_path / "1").read_text().endswith("\n0.000000001 > 0\n")


@pytest.mark.executors("native")
def test_long_flows_are_written_piece_by_piece(router, tmp_path):
    """Whoever looks sees what came first; the handler `clear` ends them all."""
    r = router(
        f"FromDevice(in) -> MarkIPHeader(14) -> SetTimestamp(5) -> AggregateIPFlows -> t :: ToIPFlowDumps({tmp_path}/%n) -> Discard;"
    )
    packet = Ether() / IP(src="10.0.0.1", dst="10.0.0.2") / UDP(sport=1, dport=2) / b"x"
    for _ in range(15):
        r.send("in", [packet] * 100)
    lines = (tmp_path / "1").read_text().splitlines()
    assert 900 < len(lines) < 1400
    r.write("t.clear")
    lines = (tmp_path / "1").read_text().splitlines()
    assert lines[5:] == ["0.000000001 > 1"] * 1500


def test_packets_go_on(router, tmp_path):
    r = router(f"FromDevice(in) -> ToIPFlowDumps({tmp_path}/%n) -> Queue -> ToDevice(out);")
    r.forwards("in", bytes(60), "out")


def test_a_file_that_can_not_be_written(dumps, tmp_path, capfd):
    (tmp_path / "out").touch()
    assert not dumps("%n")
    assert "out/1: Not a directory" in capfd.readouterr().err


def test_mistakes(refused_router):
    text = "i :: Idle -> ToIPFlowDumps({});"
    for pattern in ("%", "%q", "%03", "%.2", "%101n"):
        assert "bad filename pattern" in refused_router(text.format(pattern))
    assert "i is not an AggregateNotifier" in refused_router(text.format("%n, NOTIFIER i"))
    (warning,) = check_text(text.format("flow"), Library.standard()).warnings
    assert "OUTPUT_PATTERN has no % escapes, so output files will get overwritten" in warning.message
    with pytest.raises(ClickError):
        check_text(text.format("%n, GZIP 7"), Library.standard())

"""FromDump and ToDump against files that scapy writes and reads."""

import bz2
import gzip
import lzma
import random
import struct
from pathlib import Path

import pytest
from scapy.utils import rdpcap
from tests.elements.running import ran, running, settled

from clickbpf.errors import ClickError


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Files are named without their folder, which is another in each test: so routers that are alike are compiled once."""
    monkeypatch.chdir(tmp_path)


def classic(packets, order="<", nano=False, link=1) -> bytes:
    """A dump in the format of pcap-savefile(5): packets are (seconds, fraction, bytes, full length)."""
    data = struct.pack(order + "IHHiIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for seconds, fraction, frame, full in packets:
        data += struct.pack(order + "IIII", seconds, fraction, len(frame), full) + frame
    return data


PACKETS = [(100 + i, 500_000 + i, bytes([i]) * (60 + i), 60 + i) for i in range(4)]


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("nano", [False, True])
def test_reads_both_byte_orders_and_resolutions(tmp_path, order, nano):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS, order, nano))
    with settled("FromDump(in.pcap) -> ToDump(out.pcap, 65535, NANO true) -> Queue -> ToDevice(a);") as router:
        assert router.collect("a") == [frame for _, _, frame, _ in PACKETS]
    found = (tmp_path / "out.pcap").read_bytes()
    unit = 1 if nano else 1000
    assert found == classic([(s, f * unit, frame, full) for s, f, frame, full in PACKETS], nano=True)


@pytest.mark.parametrize("nano, last, more", [(True, 999_999_999, ""), (False, 999_999, ", NANO false")])
def test_roundtrip_is_byte_identical(tmp_path, nano, last, more):
    """In nanoseconds unless otherwise asked, as Click is configured by default."""
    original = classic([(7, 8, b"x" * 40, 1500), (9, last, b"", 0)], nano=nano)
    (tmp_path / "in.pcap").write_bytes(original)
    ran(f"FromDump(in.pcap) -> ToDump(out.pcap, SNAPLEN 65535{more});")
    assert (tmp_path / "out.pcap").read_bytes() == original


def test_snaplen_and_extra_length(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic([(7, 8, b"x" * 100, 1500)]))
    ran("FromDump(in.pcap) -> ToDump(out.pcap, SNAPLEN 64);")
    (packet,) = rdpcap(str(tmp_path / "out.pcap"))
    assert (len(packet), packet.wirelen) == (64, 1500)


def test_a_file_of_whole_packets_says_so_as_clicks_do(tmp_path):
    ran("Idle -> ToDump(out.pcap, SNAPLEN 0);")
    assert (tmp_path / "out.pcap").read_bytes() == struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 0xFFFFFFFF, 1)


def test_gzip_and_stop(tmp_path):
    (tmp_path / "in.pcap.gz").write_bytes(gzip.compress(classic(PACKETS)))
    with settled("f :: FromDump(in.pcap.gz, STOP true) -> Queue -> ToDevice(a);") as router:
        assert router.runs == 0
        assert router.handlers.read("f", "count") == "4"
        assert router.handlers.read("f", "encap") == "ETHER"


@pytest.mark.parametrize("suffix, expand", [(".gz", gzip.decompress), (".bz2", bz2.decompress), (".xz", lzma.decompress)])
def test_names_say_how_to_compress(tmp_path, suffix, expand):
    """The file is whole when the router has been closed; what was compressed is read, too."""
    original = classic(PACKETS, nano=True)
    (tmp_path / "in.pcap").write_bytes(original)
    ran(f"FromDump(in.pcap) -> ToDump(out.pcap{suffix}, SNAPLEN 65535);")
    written = tmp_path / f"out.pcap{suffix}"
    assert expand(written.read_bytes()) == original
    with settled(f"FromDump({written}) -> c :: Counter -> Discard;") as router:
        assert router.handlers.read("c", "count") == "4"


COMPRESSED = pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress], ids=["gzip", "bzip2", "xz"])


@COMPRESSED
def test_compressed_files_of_several_streams(tmp_path, compress):
    """As parallel compressors make them, with a stream that is longer than any buffer."""
    packets = [(1 + i, 0, bytes([i % 251]) * 1400, 1400) for i in range(500)]
    whole = classic(packets, nano=True)
    (tmp_path / "in.pcap").write_bytes(b"".join(compress(whole[a:b]) for a, b in ((0, 30), (30, 30), (30, 600_000), (600_000, None))))
    with settled("f :: FromDump(in.pcap) -> ToDump(out.pcap, 65535);") as router:
        assert router.handlers.read("f", "count") == "500"
    assert (tmp_path / "out.pcap").read_bytes() == whole


@COMPRESSED
def test_places_are_those_of_the_expanded_file(tmp_path, compress):
    """Headers of 24 and 16 bytes; reading goes forward to the third packet, and back to the first."""
    (tmp_path / "in.pcap").write_bytes(compress(classic(PACKETS)))
    third = 24 + 16 + 60 + 16 + 61
    with settled(f"f :: FromDump(in.pcap, FILEPOS {third}) -> Queue -> ToDevice(a);") as router:
        assert router.collect("a") == [frame for _, _, frame, _ in PACKETS[2:]]
        router.handlers.write("f", "filepos", "24")
        router.handlers.write("f", "active", "true")
        router.settle()
        assert router.collect("a") == [frame for _, _, frame, _ in PACKETS]


@pytest.mark.parametrize("compress, least", [(gzip.compress, 1), (bz2.compress, 1), (lzma.compress, 0)], ids=["gzip", "bzip2", "xz"])
def test_what_is_cut_or_corrupt_ends_there(tmp_path, compress, least):
    """Noise doesn't compress: half of the file holds half of the packets, and of zeros some more may be read. With the `least` effort
    blocks are short."""
    noise = random.Random(1)
    level = {"preset" if compress is lzma.compress else "compresslevel": least}
    whole = compress(classic([(i, 0, noise.randbytes(1400), 1400) for i in range(500)]), **level)
    for name, data in (("cut", whole[: len(whole) // 2]), ("corrupt", whole[: len(whole) // 2] + bytes(1000))):
        (tmp_path / name).write_bytes(data)
        with settled(f"f :: FromDump({name}, STOP true) -> Discard;") as router:
            assert 0 < int(router.handlers.read("f", "count")) < 350
            assert router.runs == 0


def block(kind: int, body: bytes) -> bytes:
    """A block of pcapng: type, length, body in words, length."""
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)


def test_pcapng(tmp_path):
    """draft-ietf-opsawg-pcapng: a section header, an interface with nanoseconds (option 9), an enhanced packet."""
    section = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = block(1, struct.pack("<HHI", 101, 0, 0) + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))
    ip = b"\x45\0\0\x14" + bytes(5) + b"\x11\0\0" + bytes([1, 2, 3, 4, 5, 6, 7, 8])
    packet = block(6, struct.pack("<IIIII", 0, 0, 1_500_000_001, len(ip), len(ip) + 7) + ip)
    (tmp_path / "in.pcapng").write_bytes(section + interface + packet)
    text = "f :: FromDump(in.pcapng) -> ToIPSummaryDump(out, HEADER false, FIELDS timestamp src wire_len);"
    with settled(text) as router:
        assert router.handlers.read("f", "encap") == "IP"
    assert (tmp_path / "out").read_text() == "1.500000001 1.2.3.4 20\n"


IP_PACKET = b"\x45" + bytes(7) + b"\x40\x11" + bytes(10)
SNAP = b"\xaa\xaa\x03\0\0\0\x08\0"


@pytest.mark.parametrize(
    "link, encap, headers",
    [
        (0, "NULL", [b"\2\0\0\0", b"\0\0\0\x1e", None, b"\7\0\0\0"]),
        (9, "PPP", [b"\xff\3\0\x21", b"\x21", b"\0\x57", None, b"\xc0\x21"]),
        (10, "FDDI", [b"\x50" + bytes(12) + SNAP, None, b"\x40" + bytes(12) + SNAP]),
        (50, "PPP_HDLC", [b"\xff\3\0\x21", b"\x0f\0\x08\0", None, b"\x11\0\x08\0"]),
        (100, "ATM", [SNAP, b"\6\6\3\0", b"\xaa\xaa\3\0\x80\xc2\0\7" + bytes(12) + b"\x08\0", None, b"\x42\x42\3\0"]),
        (104, "HDLC", [b"\x0f\0\x08\0", None, b"\x0f\0\x20\0"]),
        (105, "802_11", [b"\x08\0" + bytes(22) + SNAP, b"\x08\3" + bytes(28) + SNAP, None, b"\x80\0" + bytes(22) + SNAP]),
        (123, "SUNATM", [bytes(4) + SNAP, None, SNAP]),
        (127, "802_11_RADIO", [b"\0\0\x0a\0" + bytes(6) + b"\x08\0" + bytes(22) + SNAP, None, b"\0\0\2\0"]),
    ],
)
def test_ip_is_found_behind_other_headers(tmp_path, link, encap, headers):
    """Before None are those in front of an IP packet, behind it others."""
    frames = [header + IP_PACKET for header in headers if header is not None]
    (tmp_path / "in.pcap").write_bytes(classic([(0, 0, frame, len(frame)) for frame in frames], link=link))
    text = "f :: FromDump(in.pcap, FORCE_IP true) -> Queue -> ToDevice(a); f[1] -> Queue -> ToDevice(b);"
    with settled(text) as router:
        assert router.handlers.read("f", "encap") == encap
        assert (len(router.collect("a")), len(router.collect("b"))) == (headers.index(None), len(frames) - headers.index(None))


def test_link_types_that_hide_ip(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS, link=120))
    with pytest.raises(ClickError, match="unknown linktype 120; can't force IP packets"):
        running("FromDump(in.pcap, FORCE_IP true) -> Discard;").__enter__()
    for written, number in (("#147", 147), ('"IP"', 101)):
        ran(f"FromDump(in.pcap) -> ToDump(out.pcap, ENCAP {written});")
        assert struct.unpack_from("<I", (tmp_path / "out.pcap").read_bytes(), 20)[0] == number


@pytest.mark.parametrize(
    "end, count, active",
    [
        ("END_CALL f.active false", 2, "false"),
        ("END_CALL c.reset", 0, "true"),
        ("SAMPLE 1", 2, "false"),
        ("STOP true", 2, "false"),
    ],
)
def test_the_end_calls_a_handler(tmp_path, end, count, active):
    """The packet at the end passes if the handler leaves the element active; the end of the file calls it again."""
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    with settled(f"f :: FromDump(in.pcap, END_AFTER 2s, {end}) -> c :: Counter -> Discard;") as router:
        assert (router.handlers.read("c", "count"), router.handlers.read("f", "active")) == (str(count), active)


def test_positions(tmp_path):
    """A header of 24 bytes, records of 16 bytes and the packet."""
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    places = [24, 24 + 76, 24 + 76 + 77]
    with settled(f"f :: FromDump(in.pcap, FILEPOS {places[1]}, END_AFTER 1s) -> c :: Counter -> Discard;") as router:
        assert [router.handlers.read("f", name) for name in ("packet_filepos", "filepos")] == [str(places[2]), str(places[2] + 78)]
        router.handlers.write("f", "filepos", str(places[0]))
        router.handlers.write("f", "active", "true")
        router.settle()
        assert router.handlers.read("c", "count") == "5"


def test_start_and_end(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    with settled("f :: FromDump(in.pcap, START_AFTER 1s, INTERVAL 2s) -> Queue -> ToDevice(a);") as router:
        # The first packet emitted is at or after 101.5: number 1. Two seconds later is number 3, which isn't.
        assert [frame[0] for frame in router.collect("a")] == [1, 2]
        assert router.handlers.read("f", "active") == "false"


def test_timing_keeps_the_intervals(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    with settled("FromDump(in.pcap, TIMING true) -> Queue -> ToDevice(a);", clock=10**9) as router:
        assert len(router.collect("a")) == 1
        router.advance(1_000_000_000)
        assert len(router.collect("a")) == 0, "one microsecond is left"
        router.advance(1_000)
        assert len(router.collect("a")) == 1
        router.advance(2_000_002_000)
        assert len(router.collect("a")) == 2


def test_force_ip_sends_others_to_output_1(tmp_path):
    ip = bytes(12) + b"\x08\x00" + b"\x45" + bytes(19)
    tagged = bytes(12) + b"\x81\x00\x00\x05\x08\x00" + b"\x45" + bytes(19)
    arp = bytes(12) + b"\x08\x06" + bytes(28)
    short = bytes(12) + b"\x08\x00" + b"\x46" + bytes(19)
    (tmp_path / "in.pcap").write_bytes(classic([(0, 0, frame, len(frame)) for frame in (ip, arp, tagged, short)]))
    text = "f :: FromDump(in.pcap, FORCE_IP true) -> Queue -> ToDevice(a); f[1] -> Queue -> ToDevice(b);"
    with settled(text) as router:
        assert router.collect("a") == [ip, tagged]
        assert router.collect("b") == [arp, short]


def test_pulled_reader_and_writer(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    text = "FromDump(in.pcap) -> d :: ToDump(out.pcap, ENCAP IP, USE_ENCAP_FROM '');"
    with settled(text.replace(", USE_ENCAP_FROM ''", "")) as router:
        assert router.handlers.read("d", "count") == "4"
    assert struct.unpack_from("<I", (tmp_path / "out.pcap").read_bytes(), 20)[0] == 101, "LINKTYPE_RAW"


def test_encap_of_another_element(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS, link=113))
    text = "f :: FromDump(in.pcap) -> ToDump(out.pcap, USE_ENCAP_FROM f);"
    ran(text)
    assert struct.unpack_from("<I", (tmp_path / "out.pcap").read_bytes(), 20)[0] == 113


@pytest.mark.parametrize("content, says", [
    (b"", "empty file"),
    (b"\xd4\xc3\xb2\xa1\2\0\4\0", "not a tcpdump file .too short."),
    (b"no dump at all, not at all", "not a tcpdump file .bad magic number."),
])  # fmt: skip
def test_bad_files_are_named(tmp_path, content, says):
    (tmp_path / "in.pcap").write_bytes(content)
    with pytest.raises(ClickError, match=f"'f': .*{says}"):
        running("f :: FromDump(in.pcap) -> Queue -> ToDevice(a);").__enter__()


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ClickError, match="nowhere.pcap: No such file"):
        running("f :: FromDump(/nowhere.pcap) -> Queue -> ToDevice(a);").__enter__()
    with pytest.raises(ClickError, match="No such file"):
        running("InfiniteSource -> ToDump(/nowhere/out.pcap);").__enter__()


@pytest.mark.parametrize("writer", ["ToDump(out)", "ToIPSummaryDump(out)"])
def test_a_file_keeps_its_content_if_the_router_cannot_start(writer):
    Path("out").write_text("of yesterday")
    with pytest.raises(ClickError, match="No such file"):
        running(f"w :: {writer}; FromDump(nowhere.pcap) -> w").__enter__()
    assert Path("out").read_text() == "of yesterday"
    with running(f"Idle -> {writer};"):
        pass
    assert "yesterday" not in Path("out").read_text("latin1")


def test_cut_file_ends_at_the_cut(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS)[:-5])
    with settled("FromDump(in.pcap, STOP true) -> Queue -> ToDevice(a);") as router:
        assert len(router.collect("a")) == 3
        assert router.runs == 0


def test_what_a_header_says_too_much_of(tmp_path, capfd):
    """More captured than there was: the rest is skipped, as in Click. More than any packet has: the reader gives up."""
    records = [(61, 60, bytes(61)), (60, 60, bytes([1]) * 60), (10**6, 10**6, bytes(60)), (60, 60, bytes(60))]
    data = classic([]) + b"".join(struct.pack("<IIII", 1, 0, captured, full) + frame for captured, full, frame in records)
    (tmp_path / "in.pcap").write_bytes(data)
    with settled("FromDump(in.pcap, STOP true) -> Queue -> ToDevice(a);") as router:
        assert router.collect("a") == [bytes(60), bytes([1]) * 60]
    assert capfd.readouterr().err == "in.pcap: bad packet header; giving up\n"


def test_only_a_plain_file_has_a_size(tmp_path):
    (tmp_path / "in.gz").write_bytes(gzip.compress(classic(PACKETS)))
    with running("f :: FromDump(in.gz) -> Queue -> ToDevice(a);") as router:
        assert router.handlers.read("f", "filesize") == "-"

"""FromDump and ToDump against files that scapy writes and reads."""

from __future__ import annotations

import gzip
import struct

import pytest
from scapy.utils import rdpcap

from clickbpf.errors import ClickError
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import load_text
from clickbpf.library import Library
from clickbpf.runtime.host import Runtime


def start(text: str, **options) -> Runtime:
    return Runtime(check(load_text(text), Library.standard()), **options)


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
    with start(f"FromDump({tmp_path}/in.pcap) -> ToDump({tmp_path}/out.pcap, 65535, NANO true) -> Queue -> ToDevice(a);") as router:
        router.settle()
        assert router.collect("a") == [frame for _, _, frame, _ in PACKETS]
    found = (tmp_path / "out.pcap").read_bytes()
    unit = 1 if nano else 1000
    assert found == classic([(s, f * unit, frame, full) for s, f, frame, full in PACKETS], nano=True)


def test_roundtrip_is_byte_identical(tmp_path):
    original = classic([(7, 8, b"x" * 40, 1500), (9, 999_999, b"", 0)])
    (tmp_path / "in.pcap").write_bytes(original)
    with start(f"FromDump({tmp_path}/in.pcap) -> ToDump({tmp_path}/out.pcap, SNAPLEN 65535);") as router:
        router.settle()
    assert (tmp_path / "out.pcap").read_bytes() == original


def test_snaplen_and_extra_length(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic([(7, 8, b"x" * 100, 1500)]))
    with start(f"FromDump({tmp_path}/in.pcap) -> ToDump({tmp_path}/out.pcap, SNAPLEN 64);") as router:
        router.settle()
    (packet,) = rdpcap(str(tmp_path / "out.pcap"))
    assert (len(packet), packet.wirelen) == (64, 1500)


def test_gzip_and_stop(tmp_path):
    (tmp_path / "in.pcap.gz").write_bytes(gzip.compress(classic(PACKETS)))
    with start(f"f :: FromDump({tmp_path}/in.pcap.gz, STOP true) -> Queue -> ToDevice(a);") as router:
        router.settle()
        assert router.runs == 0
        assert router.handlers.read("f", "count") == "4"
        assert router.handlers.read("f", "encap") == "ETHER"


def test_start_and_end(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    with start(f"f :: FromDump({tmp_path}/in.pcap, START_AFTER 1s, INTERVAL 2s) -> Queue -> ToDevice(a);") as router:
        router.settle()
        # The first packet emitted is at or after 101.5: number 1. Two seconds later is number 3, which isn't.
        assert [frame[0] for frame in router.collect("a")] == [1, 2]
        assert router.handlers.read("f", "active") == "false"


def test_timing_keeps_the_intervals(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    with start(f"FromDump({tmp_path}/in.pcap, TIMING true) -> Queue -> ToDevice(a);", clock=10**9) as router:
        router.settle()
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
    text = f"f :: FromDump({tmp_path}/in.pcap, FORCE_IP true) -> Queue -> ToDevice(a); f[1] -> Queue -> ToDevice(b);"
    with start(text) as router:
        router.settle()
        assert router.collect("a") == [ip, tagged]
        assert router.collect("b") == [arp, short]


def test_pulled_reader_and_writer(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS))
    text = f"FromDump({tmp_path}/in.pcap) -> d :: ToDump({tmp_path}/out.pcap, ENCAP IP, USE_ENCAP_FROM '');"
    with start(text.replace(", USE_ENCAP_FROM ''", "")) as router:
        router.settle()
        assert router.handlers.read("d", "count") == "4"
    assert struct.unpack_from("<I", (tmp_path / "out.pcap").read_bytes(), 20)[0] == 101, "LINKTYPE_RAW"


def test_encap_of_another_element(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS, link=113))
    text = f"f :: FromDump({tmp_path}/in.pcap) -> ToDump({tmp_path}/out.pcap, USE_ENCAP_FROM f);"
    with start(text) as router:
        router.settle()
    assert struct.unpack_from("<I", (tmp_path / "out.pcap").read_bytes(), 20)[0] == 113


@pytest.mark.parametrize("content, says", [(b"", "truncated"), (b"no dump at all, not at all", "unknown file format")])
def test_bad_files_are_named(tmp_path, content, says):
    (tmp_path / "in.pcap").write_bytes(content)
    with pytest.raises(ClickError, match=f"'f': .*{says}"):
        start(f"f :: FromDump({tmp_path}/in.pcap) -> Queue -> ToDevice(a);").__enter__()


def test_missing_files_are_named(tmp_path):
    with pytest.raises(ClickError, match="nowhere.pcap: No such file"):
        start("f :: FromDump(/nowhere.pcap) -> Queue -> ToDevice(a);").__enter__()
    with pytest.raises(ClickError, match="No such file"):
        start("InfiniteSource -> ToDump(/nowhere/out.pcap);").__enter__()


def test_cut_file_ends_at_the_cut(tmp_path):
    (tmp_path / "in.pcap").write_bytes(classic(PACKETS)[:-5])
    with start(f"FromDump({tmp_path}/in.pcap, STOP true) -> Queue -> ToDevice(a);") as router:
        router.settle()
        assert len(router.collect("a")) == 3
        assert router.runs == 0

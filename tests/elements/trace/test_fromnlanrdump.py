"""FromNLANRDump: TSH, FR+ and FR. Cells are laid out as Click 2.1 reads them, and its output is what is expected."""

import bz2
import gzip
import struct
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP
from scapy.utils import RawPcapReader

from clickbpf.compile import check_text
from clickbpf.errors import ClickError
from clickbpf.vocabulary.library import Library

FIELDS = "FIELDS timestamp link ip_src sport ip_dst dport ip_len ip_id tcp_seq"


def headers(number: int, **fields) -> bytes:
    """The first 36 bytes of a packet."""
    packet = IP(src=f"10.0.0.{number}", dst="10.9.0.1", len=40 + number, id=number, **fields) / TCP(sport=number, seq=7 * number)
    return bytes(packet)[:36]


def cells(interface: bool = True) -> bytes:
    """Four packets, the third of which has IP options, and the last isn't IP."""
    packets = [headers(0), headers(1), headers(2, options=[IPOption_NOP()] * 4), headers(3), b"\x05" + headers(4)[1:]]
    times = [(1000 + number, (10 + number) * interface << 24 | number * 1000) for number in range(5)]
    return b"".join(struct.pack("!II", *time) + packet for time, packet in zip(times, packets))


def lines(number: int, link: int) -> str:
    return f"100{number}.00{number}000 {link} 10.0.0.{number} {number} 10.9.0.1 80 {40 + number} {number} {7 * number}"


def read(router, path: Path, arguments: str = "") -> list[str]:
    """What is read, as a summary, while the router runs."""
    out = path.parent / "out"
    r = router(f"FromNLANRDump({path}{arguments}) -> t :: ToIPSummaryDump({out}, HEADER false, {FIELDS}) -> Discard;")
    r.close()
    return out.read_text().splitlines()


@pytest.mark.parametrize(
    "name, pack", [("a.tsh", bytes), ("a.TSH.gz", gzip.compress), ("a.tsh.bz2", bz2.compress), ("a.dump", bytes), ("a.fr+", bytes)]
)
def test_headers_in_cells(router, tmp_path, name, pack):
    """Without a name that says otherwise it is TSH. Half a cell at the end is none."""
    interface = "fr" not in name
    (tmp_path / name).write_bytes(pack(cells(interface) + b"rest"))
    assert read(router, tmp_path / name) == [lines(number, (10 + number) * interface) for number in (0, 1, 3)]


def test_the_format_can_be_named(router, tmp_path):
    (tmp_path / "a.tsh").write_bytes(cells(False))
    assert read(router, tmp_path / "a.tsh", ", FORMAT FR+") == [lines(number, 0) for number in (0, 1, 3)]


def test_packets_of_fr_are_made(router, tmp_path):
    cell = struct.pack("!II4s4sHBBHH", 1000, 5, bytes([10, 0, 0, 1]), bytes([10, 0, 0, 2]), 1500, 6, 0x12, 1000, 80)
    datagram = struct.pack("!II4s4sHBBHH", 1001, 5, bytes([10, 0, 0, 3]), bytes([10, 0, 0, 4]), 99, 17, 0, 53, 54)
    other = struct.pack("!II4s4sHBBHH", 1002, 5, bytes([10, 0, 0, 5]), bytes([10, 0, 0, 6]), 98, 50, 0, 1, 2)
    (tmp_path / "a.fr").write_bytes(cell + datagram + other)
    router(f"FromNLANRDump({tmp_path}/a.fr) -> ToDump({tmp_path}/out.pcap, ENCAP IP);").close()
    first, second, third = (IP(data) for data, _ in RawPcapReader(str(tmp_path / "out.pcap")))
    assert (first.src, first.dst, first.len, bytes(first)[20:24]) == ("10.0.0.1", "10.0.0.2", 1500, struct.pack("!HH", 1000, 80))
    assert bytes(first)[33] == 0x12 and bytes(first)[32] >> 4 == 5
    assert (second.src, second.len, second.proto, bytes(second)[20:24]) == ("10.0.0.3", 99, 17, struct.pack("!HH", 53, 54))
    assert (third.src, third.len, third.proto, len(third)) == ("10.0.0.5", 98, 50, 20)


def test_others_leave_by_output_1(router, tmp_path):
    (tmp_path / "a.tsh").write_bytes(cells())
    r = router(f"f :: FromNLANRDump({tmp_path}/a.tsh) -> a :: Counter -> Discard; f[1] -> b :: Counter -> Discard;")
    assert (r.read("a.count"), r.read("b.count")) == ("3", "2")
    assert (r.read("f.encap"), r.read("f.filesize"), r.read("f.filepos")) == ("IP", "220", "220")


@pytest.mark.parametrize(
    "arguments, seen",
    [("START 1001", (1, 3)), ("END 1003", (0, 1)), ("START_AFTER 1", (1, 3)), ("INTERVAL 1.5", (0, 1)), ("FILEPOS 44", (1, 3))],
)
def test_times_and_places(router, tmp_path, arguments, seen):
    (tmp_path / "a.tsh").write_bytes(cells())
    assert read(router, tmp_path / "a.tsh", f", {arguments}") == [lines(number, 10 + number) for number in seen]


def test_what_was_not_recorded_is_annotated(router, tmp_path):
    (tmp_path / "a.tsh").write_bytes(cells())
    r = router(f"FromNLANRDump({tmp_path}/a.tsh) -> c :: Counter -> t :: ToDump({tmp_path}/out.pcap, ENCAP IP); Idle -> Discard;")
    r.close()
    record = (tmp_path / "out.pcap").read_bytes()[24:40]
    assert struct.unpack("IIII", record)[2:] == (36, 40)


def test_mistakes(refused_router, router, tmp_path):
    text = "FromNLANRDump({}) -> Discard;"
    assert "bad FORMAT" in refused_router(text.format("a, FORMAT pcap"))
    (tmp_path / "empty.tsh").touch()
    with pytest.raises(ClickError, match="empty file"):
        router(text.format(tmp_path / "empty.tsh"))
    warned = check_text(text.format("a.pcap"), Library.standard()).warnings
    assert "cannot guess file format from filename, assuming 'tsh'" in warned[0].message


def test_udp_ports_are_read(router, tmp_path):
    packet = bytes(IP(src="10.0.0.0", dst="10.9.0.1", len=40, id=0) / UDP(sport=5, dport=6) / bytes(8))
    (tmp_path / "a.tsh").write_bytes(struct.pack("!II", 1000, 0) + packet)
    assert read(router, tmp_path / "a.tsh") == ["1000.000000 0 10.0.0.0 5 10.9.0.1 6 40 0 -"]

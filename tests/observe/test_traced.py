"""The difference between what elements got and gave, and files of traced packets."""

import io
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether

from clickbpf.observe.traced import flowlog
from clickbpf.observe.traced.changes import changes
from clickbpf.observe.traced.costs import costs
from clickbpf.observe.traced.events import Event, Kind
from clickbpf.observe.traced.headers import summary
from clickbpf.observe.traced.packets import Names, Packets
from clickbpf.observe.traced.pcapng import ETHERNET, INBOUND, RAW, PcapNg
from clickbpf.vocabulary.drops import REASONS

LINK = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
FRAME = LINK / IP(src="10.0.0.1", dst="10.0.1.2", ttl=9) / UDP(sport=1, dport=2) / b"data"


def event(data: bytes, **more) -> Event:
    given = {"mac": 0, "network": None, "annotations": bytes(48), "before": b"", "element": 0, "kind": Kind.INPUT, **more}
    return Event(number=1, time=1, port=0, detail=0, device=0, in_kernel=True, bytes=data, length=len(data), transport=None, **given)


def rebuilt(packet, **fields) -> bytes:
    """A copy with other fields of IP and the checksum that goes with them."""
    copy = Ether(bytes(packet))
    for name, value in fields.items():
        setattr(copy[IP], name, value)
    copy[IP].chksum = None
    return bytes(copy)


def test_fields_are_called_by_their_names():
    before, after = bytes(FRAME), rebuilt(FRAME, ttl=8, src="10.9.9.9")
    old, new = (Ether(data)[IP].chksum for data in (before, after))
    assert changes(event(before), event(after)) == [
        "ip ttl 9 -> 8",
        f"ip checksum {old:#06x} -> {new:#06x}",
        "ip src 10.0.0.1 -> 10.9.9.9",
    ]


def test_ports_and_unnamed_bytes():
    before = bytes(Ether() / IP() / TCP(sport=5, dport=6, seq=1) / b"abcdef")
    after = bytearray(before)
    after[34:36], after[57:59] = (7).to_bytes(2, "big"), b"XY"
    assert changes(event(before), event(bytes(after))) == ["src port 5 -> 7", "bytes 57-58 6465 -> 5859"]


def test_headers_that_come_and_go():
    data = bytes(FRAME)
    stripped = event(data[14:], mac=-14, network=0, before=data[:14])
    assert changes(event(data, network=14), stripped) == ["14 bytes off the front"]
    assert changes(stripped, event(data, network=14)) == ["14 bytes in front (02:00:00:00:00:01 > 02:00:00:00:00:02, type 0x0800)"]
    assert changes(event(data + bytes(18)), event(data)) == ["18 bytes off the end"]
    assert changes(event(data), event(data, network=14)) == ["IP header found"]
    # What has a marked header behind another one gets a new header, which is marked.
    inner, outer = bytes(4) + data[14:], bytes(IP(src="192.0.2.1", dst="192.0.2.2", proto=47))
    said = changes(event(inner, network=4), event(outer + inner, network=0))
    assert said == ["20 bytes in front (IPv4 192.0.2.1 > 192.0.2.2 GRE ttl 64)"]


def test_annotations_by_the_names_of_the_class_that_writes_them():
    plain = event(bytes(FRAME))
    for names, said in (((), "vlan_tci"), (("AGGREGATE",), "aggregate")):
        annotations = bytes(20) + b"\x12\x34" + bytes(26)
        assert [c.split()[0] for c in changes(plain, replace(plain, annotations=annotations), names)] == [said]
    painted = replace(plain, annotations=bytes(16) + b"\x05" + bytes(31))
    assert changes(plain, painted) == ["paint 0 -> 5"]


@pytest.mark.parametrize(
    ("packet", "said"),
    [
        (FRAME, "02:00:00:00:00:01 > 02:00:00:00:00:02, IPv4 10.0.0.1 > 10.0.1.2 UDP 1 > 2 ttl 9"),
        (Ether() / ARP(op=1, psrc="10.0.0.1", pdst="10.0.0.9"), "ARP request who has 10.0.0.9, from 10.0.0.1"),
        (Ether() / ARP(op=2, psrc="10.0.0.9", hwsrc="02:00:00:00:00:09"), "ARP reply 10.0.0.9 is at 02:00:00:00:00:09"),
        (Ether() / ARP(op=8, psrc="10.0.0.9"), "ARP operation 8 from 10.0.0.9"),
    ],
)
def test_a_packet_in_one_line(packet, said):
    assert said in summary(event(bytes(packet)))


def test_events_that_are_cut_anywhere_are_shown():
    """Whatever the headers say that are there."""
    for packet in (bytes(FRAME), bytes(Ether() / ARP()), bytes([255] * 60), b"", bytes(60)):
        for length in range(len(packet) + 1):
            summary(event(packet[:length]))
            changes(event(packet[:length]), event(packet))
            changes(event(packet, network=14), event(packet[:length], network=0))


def test_what_the_kernel_gives_up_and_the_runtime_begins_is_one_step():
    now = [0.0]
    packets = Packets(Names([("a", "A"), ("b", "B")], ["eth0"], {}), lambda: now[0])
    data = bytes(FRAME)
    packets.add(event(data))
    packets.add(replace(event(data), element=1, time=2))
    packets.add(replace(event(data), element=1, time=3, in_kernel=False))
    assert list(packets.ready()) == []
    now[0] = 5.0
    (path,) = packets.ready()
    assert [(step.element, step.where) for step in path.steps] == [("a", "kernel"), ("b", "runtime")]
    assert path.ends == ("waits in b, or ended there",)
    packets.add(replace(event(data), element=None, kind=Kind.SENT, time=4))
    now[0] = 6.0
    (rest,) = packets.ready()
    assert rest.goes_on and rest.number == path.number and rest.ends == (f"sent by eth0, {len(data)} bytes",)


def test_files_that_others_read(tmp_path: Path):
    """Scapy finds each packet with its time, as long as it was, and the comments."""
    from scapy.utils import PcapNgReader

    path = tmp_path / "a.pcapng"
    with path.open("wb") as file:
        dump = PcapNg(file, "test")
        dump.write("eth0", ETHERNET, 1_700_000_000_123_456_789, bytes(FRAME), len(FRAME), ["first\nsecond", "third"], INBOUND)
        dump.write("eth0", ETHERNET, 1_700_000_001_000_000_000, bytes(FRAME)[:41], len(FRAME), [])
    with PcapNgReader(str(path)) as reader:
        first, second = reader.read_all()
    assert bytes(first) == bytes(FRAME) and len(bytes(second)) == 41
    assert b"first\nsecond" in (first.comments if hasattr(first, "comments") else [first.comment])
    assert first.sniffed_on == "eth0"
    assert first.time == Decimal("1700000000.123456789") and second.wirelen == len(FRAME)


def test_raw_packets_have_an_interface_of_their_own():
    file = io.BytesIO()
    dump = PcapNg(file, "test")
    dump.write("eth0", ETHERNET, 1, bytes(FRAME), 46, [])
    dump.write("eth0", RAW, 2, bytes(FRAME)[14:], 32, [])
    dump.write("eth0", RAW, 3, bytes(FRAME)[14:], 32, [])
    kinds, at, data = [], 0, file.getvalue()
    while at < len(data):
        kinds.append(int.from_bytes(data[at : at + 4], "little"))
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        assert data[at + length - 4 : at + length] == data[at + 4 : at + 8]
        at += length
    assert kinds == [0x0A0D0D0A, 1, 6, 1, 6, 6]


def test_what_elements_cost():
    """The clock costs 30, as the cheapest element shows; then `slow` costs 100, but for one interruption among many. That another took 9,
    once, says nothing of the clock."""
    names, data = Names([("in", "FromDevice"), ("slow", "S"), ("out", "Queue"), ("rare", "R")], ["eth0"], {}, {"Queue"}), bytes(FRAME)
    found = []
    for number in range(100):
        ways = ((0, Kind.INPUT, 44), (1, Kind.INPUT, 30), (2, Kind.INPUT, 9_000_000 if number == 50 else 130), (2, Kind.SENT, 31))
        for element, kind, spent in ways:
            found.append(replace(event(data), number=number, time=len(found), element=element, kind=kind, spent=spent))
    found += [replace(event(data), number=777, time=800 + end, element=3, kind=(Kind.INPUT, Kind.SENT)[end], spent=9) for end in (0, 1)]
    found += [replace(event(data), time=time, element=2, in_kernel=False, spent=9) for time in (900, 901)]
    assert [(cost.element, cost.runs, cost.packets, cost.each) for cost in costs(found, names)] == [
        ("slow", "kernel", 100, 100),
        ("out", "kernel", 100, 1),
        ("in", "kernel", 100, 0),
        ("rare", "kernel", 1, 0),
        ("out", "runtime", 2, None),
    ]
    scaled = costs(found, names, packet=50.0)
    assert sum(cost.total for cost in scaled) == pytest.approx(50 * 101) and [cost.each for cost in scaled][2:] == [0, 0, None]


def test_flows_and_their_ends(monkeypatch):
    monkeypatch.setattr(flowlog, "MOST", 2)
    packets, data = Packets(Names([("f", "F")], ["eth0"], {}), lambda: 0.0), bytes(FRAME)
    kinds = (Kind.SENT, Kind.DROP, Kind.SENT)
    for number, kind in enumerate(kinds):
        packets.add(replace(event(data), number=number))
        packets.add(replace(event(data), number=number, time=2, kind=kind))
    packets.add(replace(event(bytes(Ether() / ARP(op=1))), number=7))
    paths = list(packets.ready(True))
    assert [path.dropped for path in paths] == [False, True, False, False]
    assert [(e.packets, e.bytes, e.came_from, e.flow, e.ended) for e in flowlog.flow_log(paths)] == [
        (2, 2 * len(data), "eth0", "IPv4 10.0.0.1 > 10.0.1.2 UDP 1 > 2", "sent by eth0"),
        (1, len(data), "eth0", "IPv4 10.0.0.1 > 10.0.1.2 UDP 1 > 2", f"dropped by f: {next(iter(REASONS))}"),
        (1, 42, "eth0", "", "waits in f"),
    ]

"""Differences between packets are reported by field, and by bytes where no field differs."""

from scapy.layers.inet import IP, TCP, UDP, IPOption_NOP
from scapy.layers.l2 import ARP, Ether

from clickbpf.testing.diff import difference

ETHER = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
PACKET = ETHER / IP(src="10.0.0.1", dst="10.0.1.2", ttl=63) / UDP(sport=1, dport=2) / b"hello"


def changed(**fields):
    packet = PACKET.copy()
    for name, value in fields.items():
        setattr(packet[IP], name, value)
    return bytes(packet)


def marked(text):
    """(layer, field) of the rows that the table marks as different."""
    return [tuple(line.split()[:2]) for line in text.splitlines() if line.endswith("<-")]


def test_equal_packets_do_not_differ():
    assert difference(PACKET, bytes(PACKET)) is None
    assert difference(b"", b"") is None
    assert difference(b"\x01", b"\x01") is None


def test_every_field_that_differs_is_marked_with_both_values():
    text = difference(PACKET, changed(ttl=64))
    assert marked(text) == [("IP", "ttl"), ("IP", "chksum")]
    assert any(line.split()[:4] == ["IP", "ttl", "63", "64"] for line in text.splitlines())
    assert any(line.split() == ["UDP", "(equal)"] for line in text.splitlines())


def test_bytes_that_differ_are_underlined():
    text = difference(PACKET, changed(ttl=64)).splitlines()
    place = next(n for n, line in enumerate(text) if line.lstrip().startswith("- 0010"))
    marks = text[place + 2]
    assert text[place][marks.index("^^") :][:2] == "3f", "the TTL is byte 22"
    assert text[place + 1][marks.index("^^") :][:2] == "40"


def test_ignored_fields_may_differ_and_no_others():
    assert difference(PACKET, changed(ttl=64), ["IP.ttl", "IP.chksum"]) is None
    assert marked(difference(PACKET, changed(ttl=64), ["IP.ttl"])) == [("IP", "chksum")]
    assert difference(PACKET, changed(ttl=64, id=7), ["IP.ttl", "IP.chksum"]) is not None
    assert difference(PACKET, changed(ttl=64, id=7), ["IP"]) is None


def test_padding_counts_unless_it_is_ignored():
    padded = bytes(PACKET) + bytes(13)
    assert marked(difference(PACKET, padded)) == [("Padding", "load")]
    assert difference(PACKET, padded, ["Padding"]) is None


def test_missing_and_additional_layers():
    assert ("UDP", "sport") in marked(difference(PACKET, bytes(PACKET)[:34]))
    assert difference(PACKET, b"") is not None
    assert difference(b"", bytes(PACKET)) is not None


def test_another_protocol():
    tcp = ETHER / IP(src="10.0.0.1", dst="10.0.1.2", ttl=63) / TCP(sport=1, dport=2)
    assert {"UDP", "TCP"} <= {layer for layer, _ in marked(difference(PACKET, bytes(tcp)))}


def test_options_shift_nothing_that_is_equal():
    """With options a header's length and checksum differ; the fields after it are still compared with themselves."""
    ip = IP(src="10.0.0.1", dst="10.0.1.2", ttl=63, options=[IPOption_NOP()] * 4)
    optioned = ETHER / ip / UDP(sport=1, dport=2) / b"hello"
    fields = marked(difference(PACKET, bytes(optioned)))
    assert ("IP", "ihl") in fields and ("IP", "options") in fields
    assert not [name for layer, name in fields if layer == "UDP"]


def test_the_first_layer_may_be_any():
    ip = IP(src="10.0.0.1", dst="10.0.0.2")
    assert difference(ip, bytes(ip)) is None
    assert marked(difference(ip, bytes(IP(src="10.0.0.1", dst="10.0.0.3")))) == [("IP", "chksum"), ("IP", "dst")]


def test_bytes_are_compared_as_ethernet():
    request = bytes(ETHER / ARP(op=1, pdst="10.0.0.9"))
    reply = bytes(ETHER / ARP(op=2, pdst="10.0.0.9"))
    assert marked(difference(request, reply)) == [("ARP", "op")]


def test_bytes_that_no_field_shows_are_dumped():
    """A field's reading may hide bytes; then the bytes speak."""
    text = difference(b"\x01\x02", b"\x01\x03")
    assert "^^" in text

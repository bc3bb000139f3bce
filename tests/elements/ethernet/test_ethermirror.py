"""EtherMirror: frames turned round."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from clickbpf.testing.cases import Case


def test_the_addresses_are_swapped_and_nothing_else(element):
    x = element("EtherMirror")
    x.send(Ether(src="02:00:00:00:00:99", dst="02:00:00:00:00:01") / IP(dst="10.0.0.1") / UDP() / b"text")
    x.expect(0, Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:99") / IP(dst="10.0.0.1") / UDP() / b"text")


def test_what_has_no_addresses_is_dropped(element):
    x = element("EtherMirror", before="Truncate(12)")
    x.send(bytes(range(20)))
    assert x.expect(0).data == bytes((6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5))
    short = element("EtherMirror", before="Truncate(11)")
    short.drops(bytes(20))
    assert short.router.dropped("x", "MALFORMED") == 1


CASES = [
    Case("EtherMirror"),
    Case("EtherMirror", before="Strip(3)", packets=500),
]

"""DecIP6HLIM: RFC 8200, 3."""


from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6

LINK = bytes(12) + b"\x86\xdd"


def test_every_hop_limit(element, packet):
    dec = element("DecIP6HLIM", noutputs=2, headers="ip6")
    for hops in range(256):
        dec.send(packet(hlim=hops))
        dec.expect(hops <= 1, packet(hlim=hops if hops <= 1 else hops - 1))
    assert dec.read("drops") == "2"


def test_without_another_output_expired_packets_are_dropped(element, packet):
    dec = element("DecIP6HLIM", headers="ip6")
    dec.send(packet(hlim=1))
    dec.expect_nothing()
    assert dec.dropped("EXPIRED") == 1 and dec.read("drops") == "1"


def test_a_packet_without_a_header_is_dropped(element, packet):
    dec = element("DecIP6HLIM", noutputs=2)
    dec.send(LINK + bytes(packet()))
    dec.expect_nothing()
    assert dec.dropped("UNMARKED") == 1


CASES = [Case("DecIP6HLIM", noutputs=2, headers="ip6-in-ethernet", mix=IPV6, handlers=["x.*"])]

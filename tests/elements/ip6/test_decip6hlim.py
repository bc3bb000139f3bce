"""DecIP6HLIM: RFC 8200, 3."""


from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6


def test_every_hop_limit(element, packet):
    dec = element("DecIP6HLIM", noutputs=2, headers="ip6")
    for hops in range(256):
        dec.send(packet(hlim=hops))
        dec.expect(hops <= 1, packet(hlim=hops if hops <= 1 else hops - 1))
    assert dec.read("drops") == "2"


CASES = [Case("DecIP6HLIM", noutputs=2, headers="ip6-in-ethernet", mix=IPV6, handlers=["x.*"])]

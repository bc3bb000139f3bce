"""IP6Mirror: addresses and ports change places; checksums stay right."""

import pytest
from scapy.layers.inet import TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6, IPv6ExtHdrFragment

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6

ONE, OTHER = {"src": "2001:db8::2", "dst": "2001:db8:1::2"}, {"src": "2001:db8:1::2", "dst": "2001:db8::2"}


@pytest.mark.parametrize("layer", [UDP, TCP])
def test_ports_behind_extension_headers(element, chain, layer):
    put, _ = chain
    mirror = element("IP6Mirror", headers="ip6")
    before = IPv6(bytes(put(IPv6(**ONE), layer(sport=1000, dport=53) / b"data")))
    after = before.copy()
    after.src, after.dst, after[layer].sport, after[layer].dport = before.dst, before.src, 53, 1000
    mirror.gives(bytes(before), bytes(after))


def test_later_fragments_and_other_protocols_have_no_ports(element):
    mirror = element("IP6Mirror", headers="ip6")
    for rest in (IPv6ExtHdrFragment(nh=17, offset=3) / b"datagram", ICMPv6EchoRequest(cksum=1, id=1, seq=2)):
        mirror.gives(IPv6(**ONE) / rest, IPv6(**OTHER) / rest)


CASES = [Case("IP6Mirror", headers="ip6", mix=IPV6)]

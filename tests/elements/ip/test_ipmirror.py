"""IPMirror: there and back."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix

THERE, BACK = {"src": "10.0.0.2", "dst": "10.0.1.2"}, {"src": "10.0.1.2", "dst": "10.0.0.2"}


@pytest.mark.parametrize("options", [0, 12])
@pytest.mark.parametrize(
    "there, back",
    [
        (UDP(sport=1, dport=2) / b"x", UDP(sport=2, dport=1) / b"x"),
        (TCP(sport=1, dport=2, seq=3, ack=4, flags="A"), TCP(sport=2, dport=1, seq=4, ack=3, flags="A")),
        (ICMP(id=1), ICMP(id=1)),
    ],
    ids=("udp", "tcp", "icmp"),
)
def test_there_and_back(element, there, back, options):
    nops = [IPOption_NOP()] * options
    mirror = element("IPMirror", headers="ip-checked")
    mirror.send(IP(**THERE, options=nops) / there)
    mirror.expect(0, IP(**BACK, options=nops) / back, DST_IP=0x0A000002)


def test_the_annotation_may_stay(element):
    mirror = element("IPMirror(false)", headers="ip-checked")
    mirror.send(IP(**THERE) / UDP())
    mirror.expect(0, IP(**BACK) / UDP(), DST_IP=0x0A000102)


def test_fragments_and_short_packets_keep_their_ports(element):
    mirror = element("IPMirror", headers="ip-checked")
    for data, fields in ((bytes(range(20)), {"frag": 1}), (bytes(range(7)), {})):
        mirror.send(IP(**THERE, proto=17, **fields) / data)
        mirror.expect(0, IP(**BACK, proto=17, **fields) / data)
    mirror.send(IP(**THERE, proto=6, flags="MF") / bytes(range(8)))
    mirror.expect(0, IP(**BACK, proto=6, flags="MF") / bytes([2, 3, 0, 1, 4, 5, 6, 7]))


CASES = [Case("IPMirror", headers="ip", mix=Mix(options=30))]

"""UDPIPEncap: UDP (RFC 768) in IP (RFC 791)."""

import pytest
from scapy.layers.inet import IP, UDP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import FULL, Reach

ENCAP = "UDPIPEncap(1.0.0.1, 1234, 2.0.0.2, dns)"
FROM_ANNOTATION = "UDPIPEncap(1.0.0.1, 1234, DST_ANNO, 53)"


def wrapped(data: bytes, number: int = 0, chksum=None, sport=1234, dport=53, **fields) -> IP:
    outer = IP(**{"src": "1.0.0.1", "dst": "2.0.0.2", "ttl": 250, "id": number, **fields})
    return outer / UDP(sport=sport, dport=dport, chksum=chksum) / data


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 60, 499, 511, 512, 1472, 3000])
def test_every_length(element, length):
    encap = element(ENCAP, before="Strip(20)")
    for number in range(2):
        data = bytes(3 * at & 0xFF for at in range(length))
        encap.send(bytes(20) + data)
        carried = encap.expect(0, wrapped(data, number), DST_IP=0x02000002).carried
        assert (carried.network, carried.transport) == (0, 20)


def test_random_addresses_and_ports_are_those_of_all_packets(element):
    encap = element("RandomUDPIPEncap")
    drawn = {name: encap.read(name) for name in ("src", "dst", "sport", "dport")}
    for number in range(2):
        encap.gives(b"x" * 60, wrapped(b"x" * 60, number, **drawn | {name: int(drawn[name]) for name in ("sport", "dport")}))
    encap.write("dport", "7")
    assert {name: encap.read(name) for name in drawn} == drawn | {"dport": "7"}


def test_they_are_drawn_anew_for_each_element(element):
    x = element("RandomUDPIPEncap", declarations="other :: RandomUDPIPEncap; Idle -> other -> Discard;")
    assert x.read("src") != x.router.read("other.src")


TRIALS = {
    "without a checksum": Trial("UDPIPEncap(1.0.0.1, 1234, 2.0.0.2, 53, false)").gives(b"x" * 60, wrapped(b"x" * 60, chksum=0)),
    "the destination may be the annotation": Trial(FROM_ANNOTATION, before="SetIPAddress(3.0.0.3)")
        .gives(b"x" * 60, wrapped(b"x" * 60, dst="3.0.0.3"), DST_IP=0x03000003),
}

CASES = [Case(text, headers="ip-checked", mix=Mix(large=20)) for text in [ENCAP, FROM_ANNOTATION]]
PUNTS = [Reach(text, before=FULL) for text in (ENCAP, "RandomUDPIPEncap")]

"""StoreIPAddress: addresses, and the checksums that cover them (RFC 1624; RFC 768; RFC 9293, 3.1)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix
from clickbpf.testing.reach import Reach

TRANSPORTS = [UDP(sport=1, dport=2), UDP(sport=1, dport=2, chksum=0), TCP(sport=1, dport=2), ICMP(id=3)]


def packet(transport, **fields) -> IP:
    return IP(**{"src": "10.0.0.2", "dst": "10.0.1.2", "ttl": 9, **fields}) / transport / b"some data"


@pytest.mark.parametrize("transport", TRANSPORTS, ids=("udp", "udp without checksum", "tcp", "icmp"))
@pytest.mark.parametrize("options", [0, 8])
def test_into_the_header(element, transport, options):
    nops = [IPOption_NOP()] * options
    for place in ("src", "dst"):
        store = element(f"StoreIPAddress(251.252.253.254, {place})", noutputs=2, headers="ip-checked")
        store.gives(packet(transport, options=nops), packet(transport, options=nops, **{place: "251.252.253.254"}))


@pytest.mark.parametrize("place, output", [(56, 0), (57, 1), (20000, 1), (2**31 - 1, 1)])
def test_packets_that_end_before(element, place, output):
    store = element(f"StoreIPAddress(0.0.0.0, {place})", noutputs=2)
    frame = b"\x07" * 60
    store.gives(frame, frame if output else frame[:56] + bytes(4), output=output)
    alone = element("StoreIPAddress(1.2.3.4, src)")
    alone.drops(frame)
    assert alone.dropped("MALFORMED") == 1


CASES = [
    Case(f"StoreIPAddress({arguments})", noutputs=2, headers="ip", mix=Mix(options=30))
    for arguments in ["1.2.3.4, src", "dst", "1.2.3.4, 33"]
]


def test_mistakes(refused):
    assert "OFFSET" in refused("StoreIPAddress")
    assert "OFFSET" in refused("StoreIPAddress(-1)")
    assert "OFFSET" in refused("StoreIPAddress(1.2.3.4, source)")
    assert "IP address" in refused("StoreIPAddress(1.2.3, 4)")


TRIALS = {
    "later fragments have no transport header": Trial("StoreIPAddress(1.2.3.4, dst)", headers="ip-checked")
        .gives(packet(bytes(20), frag=3, proto=6), packet(bytes(20), frag=3, proto=6, dst="1.2.3.4")),
    "the annotation": [
        Trial("StoreIPAddress(DST)", headers="ip-checked", before="SetIPAddress(1.2.3.4)")
            .gives(packet(UDP()), packet(UDP(), dst="1.2.3.4")),
        Trial("StoreIPAddress(2)", before="SetIPAddress(0.0.0.0)").passes(bytes(range(60))),
    ],
    "a UDP checksum of 0 is sent as 0xffff": Trial("StoreIPAddress(1.2.3.4, dst)", headers="ip-checked")
        .gives(packet(UDP(sport=11797, dport=2)), packet(UDP(sport=11797, dport=2), dst="1.2.3.4")),
    "at an offset nothing is updated": Trial("StoreIPAddress(1.2.3.4, OFFSET 12)", headers="ip-checked")
        .gives(bytes(packet(UDP())), bytes(packet(UDP()))[:12] + bytes([1, 2, 3, 4]) + bytes(packet(UDP()))[16:]),
}

PUNTS = [Reach("StoreIPAddress(1.0.0.1, 20000)")]

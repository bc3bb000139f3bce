"""StoreUDPTimeSeqRecord: the record in UDP packets. Its layout is that of Click 2.1; checksums are as scapy reckons them."""

import struct

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP, IPOption_NOP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrHopByHop
from scapy.layers.l2 import Ether
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case

DATA = bytes(range(200, 223))
FAMILIES = [IP(dst="10.0.0.2"), IP(dst="10.0.0.2", options=[IPOption_NOP()] * 4), IPv6(dst="2001:db8::1")]


def stored(packet) -> tuple[int, ...]:
    return struct.unpack("!5I", bytes(packet[UDP].payload)[:20])


@pytest.mark.parametrize("ip", FAMILIES)
def test_how_long_packets_are_on_their_way(router, ip):
    r = router(
        """FromDevice(a) -> sent :: StoreUDPTimeSeqRecord(14) -> Queue -> ToDevice(a);
        FromDevice(b) -> StoreUDPTimeSeqRecord(14, DELTA true) -> Queue -> ToDevice(b);""",
        simtime=True,
    )
    packets = []
    for number in (1, 2):
        r.send("a", Ether() / ip / UDP(sport=5, dport=6) / DATA)
        packets.append(r.expect("a"))
        assert (stored(packets[-1])[0], stored(packets[-1])[3:], r.read("sent.count")) == (number, (0, 0), str(number))
    r.advance(2.5)
    r.send("b", packets[0])
    seen = r.expect("b")
    assert stored(seen)[:3] == stored(packets[0])[:3]
    assert stored(seen)[3] + round(stored(seen)[4] / 1e9, 2) == 2.5
    for packet in (*packets, seen):
        assert bytes(packet[UDP].payload)[20:] == DATA[20:]
        right = packet.copy()
        del right[UDP].chksum
        assert packet[UDP].chksum == Ether(bytes(right))[UDP].chksum
    r.write("sent.reset")
    assert r.read("sent.count") == "0"


def test_no_checksum_stays_none(element):
    x = element("StoreUDPTimeSeqRecord(14)")
    x.send(Ether() / IP() / UDP(chksum=0) / DATA)
    assert x.expect(0).packet[UDP].chksum == 0


OTHERS = [
    IP() / TCP() / DATA,
    IP() / ICMP() / DATA,
    IP(frag=3, proto=17) / DATA / DATA,
    IPv6() / IPv6ExtHdrHopByHop() / UDP() / DATA,
    IP() / UDP() / DATA[:19],
]

TRIALS = {
    "others are dropped": Trial("StoreUDPTimeSeqRecord(14)")
        .drops(*(Ether() / packet for packet in OTHERS), reason="MALFORMED").reads(count="0"),
}

CASES = [Case("StoreUDPTimeSeqRecord(14, DELTA true)", packets=300)]

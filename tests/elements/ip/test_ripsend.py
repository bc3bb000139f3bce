"""RIPSend: a response of RIP version 2 (RFC 2453) in time."""

from scapy.layers.inet import IP, UDP
from scapy.layers.rip import RIP, RIPEntry

ROUTE = RIPEntry(AF="IP", addr="10.0.0.0", mask="255.0.0.0", nextHop="18.26.4.24", metric=10)
MESSAGE = IP(src="18.26.4.24", dst="18.26.4.255", ttl=200, id=0) / UDP(sport=520, dport=520) / RIP(cmd=2, version=2) / ROUTE


def test_it_is_sent_after_three_seconds_and_then_every_thirty(router):
    r = router("RIPSend(18.26.4.24, 18.26.4.255, 10.0.0.0/8, 10) -> SetIPChecksum -> Queue -> ToDevice(eth0);", simtime=True)
    for before in (2.999, 29.999, 29.999):
        r.advance(before)
        r.expect_nothing()
        r.advance(0.001)
        r.expect("eth0", bytes(MESSAGE))

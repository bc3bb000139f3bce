"""configs/nat.click and configs/papers/nat-smp.click, packet by packet; between hosts: test_live_nat.py."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.configs.traffic import CONFIGS

HOST, PEER, ROUTER = "02:00:00:00:00:98", "02:00:00:00:00:99", "198.51.100.254"
PUBLIC, WEB = "198.51.100.1", "203.0.113.5"
IN_MAC, OUT_MAC = "02:00:00:00:00:10", "02:00:00:00:01:10"


@pytest.fixture(params=axis("nat.click", "papers/nat-smp.click"))
def nat(router, request):
    """A gateway that knows its neighbours, and the address of a host inside."""
    r = router(CONFIGS / request.param, devices={"eth0": IN_MAC, "eth1": OUT_MAC}, variables={"FLOWS": "100"})
    host = "192.168.0.9" if request.param == "nat.click" else "10.0.0.9"
    r.write("in_arp.insert", f"{host} {HOST}")
    r.write("out_arp.insert", f"{ROUTER} {PEER}")
    return r, host


def from_inside(host: str, ttl: int = 64):
    return Ether(src=HOST, dst=IN_MAC) / IP(src=host, dst=WEB, ttl=ttl)


def from_outside(ttl: int = 64, src: str = WEB):
    return Ether(src=PEER, dst=OUT_MAC) / IP(src=src, dst=PUBLIC, ttl=ttl)


def test_a_connection_has_the_public_address_outside(nat):
    r, host = nat
    tcp = {"sport": 5000, "dport": 80}
    r.send("eth0", from_inside(host) / TCP(**tcp, flags="S"))
    r.expect("eth1", Ether(src=OUT_MAC, dst=PEER) / IP(src=PUBLIC, dst=WEB, ttl=63) / TCP(**tcp, flags="S"))
    r.send("eth1", from_outside() / TCP(sport=80, dport=5000, flags="SA"))
    r.expect("eth0", Ether(src=IN_MAC, dst=HOST) / IP(src=WEB, dst=host, ttl=63) / TCP(sport=80, dport=5000, flags="SA"))
    r.expect_nothing()


def test_pings_and_errors_come_back(nat):
    r, host = nat
    r.send("eth0", from_inside(host) / ICMP(id=7) / b"ping")
    r.expect("eth1", Ether(src=OUT_MAC, dst=PEER) / IP(src=PUBLIC, dst=WEB, ttl=63) / ICMP(id=7) / b"ping")
    r.send("eth1", from_outside() / ICMP(type=0, id=7) / b"ping")
    r.expect("eth0", Ether(src=IN_MAC, dst=HOST) / IP(src=WEB, dst=host, ttl=63) / ICMP(type=0, id=7) / b"ping")

    r.send("eth0", from_inside(host) / UDP(sport=5000, dport=33434) / b"hop")
    sent = r.expect("eth1")[IP]
    r.send("eth1", from_outside(src=ROUTER) / ICMP(type=11) / sent)
    about = IP(src=host, dst=WEB, ttl=63) / UDP(sport=5000, dport=33434) / b"hop"
    r.expect("eth0", Ether(src=IN_MAC, dst=HOST) / IP(src=ROUTER, dst=host, ttl=63) / ICMP(type=11) / about)


def test_an_error_of_the_gateway_does_not_tell_who_is_inside(nat):
    r, host = nat
    r.send("eth0", from_inside(host) / UDP(sport=5000, dport=53) / b"question")
    r.expect("eth1")
    r.send("eth1", from_outside(ttl=1) / UDP(sport=53, dport=5000) / b"answer")
    error = r.expect("eth1")
    assert (error[IP].dst, error[ICMP].type) == (WEB, 11)
    quoted = IP(bytes(error[ICMP].payload))
    assert (quoted.src, quoted.dst, quoted.dport) == (WEB, PUBLIC, 5000)
    assert bytes(quoted)[:20] == bytes(IP(bytes(from_outside(ttl=1) / UDP(sport=53, dport=5000) / b"answer")[14:]))[:20]


def test_what_nobody_asked_for_does_not_come_in(nat):
    r, host = nat
    r.send("eth1", from_outside() / TCP(sport=80, dport=5000, flags="S"))
    r.send("eth1", Ether(src=PEER, dst=OUT_MAC) / IP(src=WEB, dst=host) / TCP(dport=22, flags="S"))
    r.expect_nothing("eth0")
    r.expect_nothing("eth1")

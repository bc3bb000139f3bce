"""What the router does to packets. Each test runs in user space, and in the kernel if you are root: see `pytest --help`, clickbpf."""

from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether

LEFT_MAC, RIGHT_MAC = "02:00:00:00:00:10", "02:00:00:00:01:10"
LEFT_HOST, RIGHT_HOST = "02:00:00:00:00:02", "02:00:00:00:01:02"


@pytest.fixture
def r(router):
    """The router, which knows the Ethernet address of a host on either side."""
    made = router(Path(__file__).with_name("router.click"), devices={"eth0": LEFT_MAC, "eth1": RIGHT_MAC})
    made.write("arp_left.insert", f"10.0.0.2 {LEFT_HOST}")
    made.write("arp_right.insert", f"10.0.1.2 {RIGHT_HOST}")
    return made


def from_left(dst, ttl=64):
    return Ether(src=LEFT_HOST, dst=LEFT_MAC) / IP(src="10.0.0.2", dst=dst, ttl=ttl)


def test_packets_are_forwarded(r):
    r.send("eth0", from_left("10.0.1.2") / UDP(sport=1000, dport=2000) / b"hello")
    forwarded = IP(src="10.0.0.2", dst="10.0.1.2", ttl=63) / UDP(sport=1000, dport=2000) / b"hello"
    r.expect("eth1", Ether(src=RIGHT_MAC, dst=RIGHT_HOST) / forwarded)
    r.expect_nothing()


def test_old_packets_are_not(r):
    r.send("eth0", from_left("10.0.1.2", ttl=1) / UDP())
    assert r.expect("eth0")[ICMP].type == 11
    r.expect_nothing()


def test_the_router_answers_pings(r):
    r.send("eth0", from_left("10.0.0.1") / ICMP(id=7, seq=1) / b"ping")
    answer = r.expect("eth0")
    assert (answer[IP].src, answer[IP].dst, answer[ICMP].type, answer[ICMP].id) == ("10.0.0.1", "10.0.0.2", 0, 7)


def test_the_router_says_who_it_is(r):
    query = Ether(src=LEFT_HOST, dst="ff:ff:ff:ff:ff:ff") / ARP(op=1, hwsrc=LEFT_HOST, psrc="10.0.0.2", pdst="10.0.0.1")
    r.send("eth0", query)
    assert r.expect("eth0")[ARP].hwsrc == LEFT_MAC

"""The small configurations of configs/: a tap, a rate limit, a packet generator, a router on a stick."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether
from tests.configs.traffic import CONFIGS, Stream, datagram, offer

simulated = pytest.mark.executors("native")
MAC, HOST, OTHER = "02:00:00:00:00:10", "02:00:00:00:00:98", "02:00:00:00:00:99"


def test_a_mirror_sends_both_directions_to_the_tap(router):
    r = router(CONFIGS / "mirror.click")
    there = Ether(src=HOST, dst=OTHER) / IP(dst="10.0.0.1") / UDP() / b"there"
    back = Ether(src=OTHER, dst=HOST) / ARP(op=2)
    r.send("eth0", there)
    r.send("eth1", back)
    r.expect("eth1", there)
    r.expect("eth0", back)
    r.expect("eth2", there)
    r.expect("eth2", back)
    r.expect_nothing()
    assert [r.read(f"{counter}.count") for counter in ("onward", "back", "tapped")] == ["1", "1", "2"]


@simulated
def test_a_rate_limit_holds_the_sum_and_what_is_not_tcp(router):
    r = router(CONFIGS / "ratelimit.click", simtime=True, variables={"TOTAL": "100kBps", "OTHERS": "20kBps"})
    tcp = bytes(Ether(src=HOST, dst=OTHER) / IP(dst="10.0.0.1") / TCP() / bytes(446))
    arp = bytes(Ether(src=HOST) / ARP())
    streams = [Stream.of_bytes("eth0", tcp, 120_000), Stream.of_bytes("eth0", datagram(length=500), 50_000), Stream("eth0", arp, 10)]
    out = offer(r, streams, seconds=4)
    assert out.bytes_rate("eth1") == pytest.approx(100_000, rel=0.01)
    assert out.rate("eth1", lambda data: data[12:14] == b"\x08\x06") == pytest.approx(10, rel=0.1)
    udp = out.bytes_rate("eth1", lambda data: data[23] == 17 and data[12:14] == b"\x08\x00")
    assert 10_000 < udp <= 20_000 * 1.02
    assert int(r.read("excess.count")) == pytest.approx(5 * 30_000 / 500, rel=0.05)
    r.write("total.rate", "200kBps")
    r.advance(2)
    assert offer(r, streams[:1], seconds=2).bytes_rate("eth1") == pytest.approx(120_000, rel=0.01)


@simulated
def test_a_generator_sends_valid_packets_at_a_rate_and_counts_answers(router):
    r = router(CONFIGS / "generator.click", simtime=True, variables={"RATE": "2000", "COUNT": "5000"}, devices={"eth0": MAC})
    assert r.advance(1) == []
    sent = r.write("source.active", "true")
    sent += r.advance(1)
    assert len(sent) == pytest.approx(2000, rel=0.015)
    sent += r.advance(5)
    assert len(sent) == int(r.read("sent.count")) == 5000
    packet = Ether(sent[-1].data)
    assert len(packet) == 60
    assert (packet[IP].src, packet[IP].dst, packet[UDP].sport, packet[UDP].dport) == ("10.0.0.1", "10.0.0.2", 1234, 9)
    rebuilt = packet.copy()
    del rebuilt[IP].chksum, rebuilt[UDP].chksum
    assert bytes(rebuilt) == bytes(packet)
    answer = Ether(src=packet.dst, dst=packet.src) / IP(src="10.0.0.2", dst="10.0.0.1") / UDP(sport=9, dport=1234)
    strange = Ether(src=packet.dst, dst=packet.src) / IP(src="10.0.0.2", dst="10.0.0.1") / UDP(sport=9, dport=4321)
    r.send("eth0", [answer, strange])
    r.expect_host(strange)
    assert r.read("back.count") == "1"


@pytest.fixture
def stick(router):
    """A router on a stick, which knows one host on each VLAN."""
    r = router(CONFIGS / "vlanrouter.click", devices={"eth0": MAC})
    r.write("v0/arpq.insert", f"10.0.0.2 {HOST}")
    r.write("v1/arpq.insert", f"10.0.1.2 {OTHER}")
    return r


def test_a_packet_changes_its_vlan_on_the_stick(stick):
    packet = IP(src="10.0.0.2", dst="10.0.1.2", ttl=9) / UDP() / b"payload"
    stick.send("eth0", Ether(src=HOST, dst=MAC) / Dot1Q(vlan=10, prio=3) / packet)
    packet.ttl = 8
    stick.expect("eth0", Ether(src=MAC, dst=OTHER) / Dot1Q(vlan=20) / packet)
    packet = IP(src="10.0.1.2", dst="10.0.0.2", ttl=9) / UDP()
    stick.send("eth0", Ether(src=OTHER, dst=MAC) / Dot1Q(vlan=20) / packet)
    packet.ttl = 8
    stick.expect("eth0", Ether(src=MAC, dst=HOST) / Dot1Q(vlan=10) / packet)
    stick.expect_nothing()


def test_the_stick_speaks_arp_and_icmp_on_each_vlan(stick):
    stick.send("eth0", Ether(src=HOST) / Dot1Q(vlan=20) / ARP(hwsrc=HOST, psrc="10.0.1.9", pdst="10.0.1.1"))
    reply = stick.expect("eth0")
    assert (reply[Dot1Q].vlan, reply[ARP].op, reply[ARP].hwsrc) == (20, 2, MAC)
    stick.send("eth0", Ether(src=HOST) / Dot1Q(vlan=20) / ARP(hwsrc=HOST, psrc="10.0.0.9", pdst="10.0.0.1"))
    stick.expect_nothing()
    stick.send("eth0", Ether(src=HOST, dst=MAC) / Dot1Q(vlan=10) / IP(src="10.0.0.2", dst="10.0.1.1") / ICMP(id=3))
    pong = stick.expect("eth0")
    assert (pong[Dot1Q].vlan, pong[IP].src, pong[ICMP].type, pong[ICMP].id) == (10, "10.0.1.1", 0, 3)
    stick.send("eth0", Ether(src=HOST, dst=MAC) / Dot1Q(vlan=10) / IP(src="10.0.0.2", dst="10.0.1.2", ttl=1) / UDP())
    assert stick.expect("eth0")[ICMP].type == 11


def test_other_vlans_and_frames_without_a_tag_are_not_for_the_stick(stick):
    packet = IP(src="10.0.0.2", dst="10.0.1.2") / UDP()
    stick.send("eth0", [Ether(src=HOST, dst=MAC) / packet, Ether(src=HOST, dst=MAC) / Dot1Q(vlan=30) / packet])
    stick.expect_nothing()
    assert stick.read("foreign.count") == "2"

"""configs/papers/two-t1.click: two lines that share the traffic (Click paper, Figure 12)."""

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import ARP, Ether
from tests.configs.traffic import PAPERS, Stream, datagram, has_source, has_tos, macs, offer

#: Bytes per second of one line.
T1 = 1_536_000 / 8
LENGTH = 500
AWAY = "192.0.2.9"
GATEWAY = PAPERS / "two-t1.click"
simulated = pytest.mark.executors("native")


def bulk(rate: float, **fields) -> Stream:
    return Stream.of_bytes("eth0", datagram(length=LENGTH, dst=AWAY, **fields), rate)


@simulated
def test_a_full_load_fills_both_lines_alike(router):
    r = router(GATEWAY, simtime=True, devices=macs(3))
    out = offer(r, [bulk(3 * T1)], seconds=4)
    assert [out.bytes_rate(line) for line in ("eth1", "eth2")] == pytest.approx([T1, T1], rel=0.01)


@simulated
def test_who_is_ready_takes_the_next_packet(router):
    """Long and short packets in turn fill both lines alike, where taking turns would not."""
    r = router(GATEWAY, simtime=True, devices=macs(3))
    streams = [Stream("eth0", datagram(length=length, dst=AWAY), 300) for length in (1500, 100)]
    out = offer(r, streams, seconds=4)
    assert out.bytes_rate("eth1") + out.bytes_rate("eth2") == pytest.approx(2 * T1, rel=0.02)
    assert out.bytes_rate("eth1") == pytest.approx(out.bytes_rate("eth2"), rel=0.02)


@simulated
def test_what_somebody_waits_for_is_not_held_up_by_bulk(router):
    r = router(GATEWAY, simtime=True, devices=macs(3))
    urgent = Stream("eth0", datagram(0xB8, 200, dst=AWAY), 300)
    out = offer(r, [bulk(4 * T1, src="10.0.0.3"), urgent], seconds=2)
    # One queue overflows at 50 packets, where RED drops one in forty: 0.05 * (50 - 20) / (80 - 20).
    assert sum(out.rate(line, has_tos(0xB8)) for line in ("eth1", "eth2")) == pytest.approx(300 * (1 - 1 / 40), rel=0.06)
    assert int(r.read("first.highwater_length")) <= 3
    assert int(r.read("first.drops")) == 0


@simulated
def test_transfers_share_the_lines_and_red_keeps_their_queues_short(router):
    r = router(GATEWAY, simtime=True, devices=macs(3))
    hosts = [f"10.0.0.{number}" for number in (2, 3, 4)]
    out = offer(r, [bulk(rate * T1, src=host) for rate, host in zip((1, 1.5, 4), hosts)], seconds=4, settle=3)
    shares = [sum(out.bytes_rate(line, has_source(host)) for line in ("eth1", "eth2")) for host in hosts]
    # Offered 1 : 1.5 : 4, of which RED takes its share. The smallest lacks that, and the others have it.
    assert shares == pytest.approx([2 * T1 / 3] * 3, rel=0.2)
    # Both always have packets waiting, and their turns are alike.
    assert shares[1] == pytest.approx(shares[2], rel=0.01)
    waiting = [int(r.read(f"bulk/q{number}.length")) for number in range(8)]
    assert float(r.read("red.avg_queue_size")) == pytest.approx(sum(waiting), abs=10)
    assert sum(waiting) < 160, "twice RED's upper threshold"


def test_packets_cross_it_in_both_directions(router):
    r = router(GATEWAY, devices=macs(3))
    host = "02:00:00:00:00:99"
    packet = IP(src="10.0.0.2", dst=AWAY, ttl=9) / TCP(dport=22)
    (sent,) = r.send("eth0", Ether(src=host, dst="02:00:00:00:00:10") / packet)
    packet.ttl = 8
    line, number = sent.device, sent.device[-1]
    r.expect(line, Ether(src=f"02:00:00:00:0{number}:10", dst=f"02:00:00:00:0{number}:20") / packet)
    answer = IP(src=AWAY, dst="10.0.0.2", ttl=5) / TCP(sport=22)
    r.send("eth2", Ether(src="02:00:00:00:02:20", dst="02:00:00:00:02:10") / answer)
    query = r.expect("eth0")
    assert (query[ARP].op, query[ARP].pdst) == (1, "10.0.0.2")
    r.send("eth0", Ether(src=host, dst=query.src) / ARP(op=2, hwsrc=host, psrc="10.0.0.2", hwdst=query.src, pdst="10.0.0.1"))
    answer.ttl = 4
    r.expect("eth0", Ether(src="02:00:00:00:00:10", dst=host) / answer)
    r.send("eth0", Ether(src=host, dst="02:00:00:00:00:10") / IP(src="10.0.0.2", dst="10.0.0.1") / ICMP())
    assert r.expect("eth0")[ICMP].type == 0
    r.send("eth0", Ether(src=host, dst="02:00:00:00:00:10") / IP(src="10.0.0.2", dst="10.0.0.3") / UDP())
    r.expect_nothing()

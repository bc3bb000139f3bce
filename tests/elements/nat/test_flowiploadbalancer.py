"""FlowIPLoadBalancer, FlowSwitch and FlowCounter: flows that stay where their first packet went."""

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment
from tests.elements.nat.test_iploadbalancer import BALANCER6, DSTS, FLOWS, FLOWS6, SERVERS, SERVERS6, VIP6, sent_to

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import IPV6
from clickbpf.testing.punt import assert_punts_unchanged


def balancer(more: str = "") -> str:
    return f"FlowIPLoadBalancer(VIP 10.0.0.1, {DSTS}, SEED 5{more})"


def test_flows_stay(element):
    x = element(balancer(), headers="ip-checked")
    before = sent_to(x, FLOWS[:10])
    assert before == 2 * SERVERS
    x.write("remove_server", "")
    assert sent_to(x, FLOWS[:10]) == before
    assert SERVERS[4] not in sent_to(x, FLOWS[10:20])


def test_a_silent_flow_is_over(element):
    """With its flow's first packet it is the next server's turn."""
    x = element(balancer(", TIMEOUT 5s"), headers="ip-checked", simtime=True)
    assert sent_to(x, FLOWS[:1]) == SERVERS[:1]
    x.router.advance(4)
    assert sent_to(x, FLOWS[:1]) == SERVERS[:1]
    x.router.advance(4)
    assert sent_to(x, FLOWS[:1]) == SERVERS[:1]
    x.router.advance(9)
    assert sent_to(x, FLOWS[:1]) == SERVERS[1:2]


def test_who_was_silent_for_longest_makes_room(element):
    x = element(balancer(", CAPACITY 8, TIMEOUT 3600s"), headers="ip-checked", simtime=True)
    for packet in FLOWS[:8]:
        sent_to(x, [packet])
        x.router.advance(3)
    assert x.read("evicted") == "0"
    sent_to(x, FLOWS[8:9])
    assert x.read("evicted") == "1"
    assert sent_to(x, FLOWS[1:8]) == [SERVERS[n % 5] for n in range(1, 8)]


def test_a_connection_may_have_to_begin_with_a_syn(element):
    x = element(balancer(", NONSYN false"), headers="ip-checked")
    syn, more = (IP(src="1.2.3.4", dst="10.0.0.1") / TCP(sport=5, dport=80, flags=flags) for flags in "SA")
    x.drops(more)
    assert x.dropped("FILTERED") == 1
    for packet in (syn, more):
        x.send(packet)
        assert IP(x.expect(0).data).dst == SERVERS[0]


def test_a_counter_counts(element):
    """Also behind a FlowIPManager, as FastClick's configurations have it."""
    x = element("FlowCounter(TIMEOUT 5s)", headers="ip-checked", simtime=True, before="FlowIPManager(CAPACITY 100, TIMEOUT 5)")
    for _ in range(2):
        for packet in FLOWS[:10]:
            x.passes(packet)
        assert (x.read("count"), x.read("open")) == ("10", "10")
    x.router.advance(9)
    assert (x.read("count"), x.read("open")) == ("10", "0")
    x.send(FLOWS[0])
    assert (x.read("count"), x.read("open"), x.read("evicted")) == ("11", "1", "0")


def test_a_switch_sends_by_outputs(element):
    x = element("FlowSwitch", noutputs=3, headers="ip-checked")
    for packet, output in zip(FLOWS[:6] + FLOWS[:6], 4 * [0, 1, 2]):
        x.passes(packet, output=output)


def test_the_fewest_flows(element):
    """Flows that are over count for no longer than a second."""
    x = element(balancer(", LB_MODE least, TIMEOUT 5s"), headers="ip-checked", simtime=True)
    assert sent_to(x, FLOWS[:6]) == [*SERVERS, SERVERS[0]]
    assert x.read("load_conn") == "2 1 1 1 1"
    for _ in range(3):
        x.router.advance(4)
        sent_to(x, FLOWS[:4])
    assert sent_to(x, FLOWS[6:9]) == [SERVERS[4], SERVERS[0], SERVERS[1]]
    assert x.read("load_conn") == "2 2 1 1 1"


def test_ipv6(element):
    x = element(f"FlowIPLoadBalancer({BALANCER6}, NONSYN false)", headers="ip6-checked")
    for _ in range(2):
        assert sent_to(x, FLOWS6[:6]) == 2 * SERVERS6
    syn, more = (IPv6(src="2001:db8:9::1", dst=VIP6) / IPv6ExtHdrDestOpt() / TCP(sport=5, dport=80, flags=flags) for flags in "SA")
    x.send(more)
    x.expect_nothing()
    for packet in (syn, more):
        x.send(packet)
        assert x.expect(0).packet.dst == SERVERS6[0]


def test_fragments_of_ipv6_stay_together(element):
    """Extension headers may be in the first fragment only."""
    x = element("FlowSwitch", noutputs=3, headers="ip6-checked")
    ip = IPv6(src="2001:db8:9::1", dst=VIP6)
    later = ip / IPv6ExtHdrFragment(nh=60, offset=9) / bytes(16)
    first = ip / IPv6ExtHdrFragment(nh=60, m=1) / IPv6ExtHdrDestOpt() / UDP(sport=1) / bytes(56)
    for packet, output in ((later, 0), (first, 0), (FLOWS6[0], 1), (FLOWS6[1], 2), (first, 0)):
        x.send(packet)
        x.expect(output, packet)


@pytest.mark.executors("bpf")
def test_the_kernel_does_it_all(executor):
    assert assert_punts_unchanged(balancer(), headers="ip-checked", packets=100).count == 0


CASES = [
    Case(balancer(", CAPACITY 16, NONSYN false, FORCE_TRACK_LOAD true"), headers="ip-checked"),
    Case("FlowCounter(CAPACITY 64)", headers="ip-checked"),
    Case("FlowSwitch(CAPACITY 64, LB_MODE cst_hash, SEED 3)", noutputs=3, headers="ip-checked"),
    Case("FlowSwitch(CAPACITY 64, LB_MODE least)", noutputs=3, headers="ip-checked"),
    Case("FlowSwitch(CAPACITY 64, LB_MODE pow2, SEED 2)", noutputs=3, headers="ip6-checked", mix=IPV6),
    Case(f"FlowIPLoadBalancer({BALANCER6}, CAPACITY 16, NONSYN false)", headers="ip6-checked", mix=IPV6),
]

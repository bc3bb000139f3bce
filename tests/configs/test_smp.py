"""configs/papers/smp-*.click: work divided among threads (Chen and Morris, USENIX 2001)."""

from random import Random

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import ARP, Ether
from tests.configs.traffic import PAPERS, Stream, datagram, has_source, has_tos, offer

from clickbpf.compile import Compilation, check_file
from clickbpf.runtime.host import Runtime
from clickbpf.testing.traffic import ping, tcp_transfer
from clickbpf.vocabulary.library import Library

CONFIGURATIONS = {
    "smp-flows": {"line0/work": "0", "line1/work": "1"},
    "smp-qos": {"work0": "0", "work1": "1"},
}
PIPELINE = {"vpn-pipeline": {"into/encrypt": "1", "into/sign": "2", "outof/verify": "2", "outof/decrypt": "1"}}
TELNET = bytes(Ether(dst="02:00:00:00:00:10") / IP(dst="10.0.1.2") / TCP(dport=23))


@pytest.mark.parametrize("name, threads", (CONFIGURATIONS | PIPELINE).items())
def test_its_work_has_the_threads_that_it_says(name, threads):
    with Runtime(Compilation(check_file(PAPERS / f"{name}.click", Library.standard())), threads=3) as runtime:
        assert {element: runtime.handlers.read(element, "home_thread") for element in threads} == threads


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_flows_pass_whole_and_in_order(router, name):
    r = router(PAPERS / f"{name}.click", **({"simtime": True, "variables": {"LINK": "1Gbps"}} if name == "smp-qos" else {}))
    hosts = [f"10.0.{i}.{2 * i + 1}" for i in range(8)]
    numbers = [(host, number) for number in range(20) for host in hosts]
    Random(1).shuffle(numbers)
    numbers.sort(key=lambda pair: pair[1])
    sent = r.send("eth0", [datagram(src=host, sport=number + 1) for host, number in numbers])
    if name == "smp-qos":
        sent += r.advance(1)
    for host in hosts:
        mine = [o.data for o in sent if has_source(host)(o.data)]
        assert mine == [datagram(src=host, sport=number + 1) for number in range(20)]


def test_what_is_no_ip_passes_and_what_is_forbidden_does_not(router):
    r = router(PAPERS / "smp-flows.click")
    query = bytes(Ether(src="02:00:00:00:00:99") / ARP(pdst="10.0.0.1"))
    r.send("eth0", [query, TELNET])
    r.expect("eth1", query)
    r.expect_nothing()
    r.send("eth1", TELNET)
    r.expect("eth0", TELNET)


def test_flows_are_split_evenly(router):
    r = router(PAPERS / "smp-flows.click")
    r.send("eth0", [datagram(src=f"10.0.0.{host}") for host in range(1, 201)])
    counts = [int(r.read(f"line{line}/done.count")) for line in (0, 1)]
    assert sum(counts) == 200 and min(counts) > 80


@pytest.mark.executors("native")
def test_replicated_queues_are_one_queue_of_each_priority(router):
    """Of either line's packets the urgent ones go first, and bulk of both shares the rest."""
    r = router(PAPERS / "smp-qos.click", simtime=True, variables={"LINK": "100kBps"})
    hosts = ("10.0.0.2", "10.0.0.3")
    streams = [Stream("eth0", datagram(tos, src=host), rate) for host in hosts for tos, rate in ((0xB8, 150), (0, 1500))]
    out = offer(r, streams, seconds=2)
    assert out.rate("eth1", has_tos(0xB8)) == pytest.approx(300, rel=0.02)
    assert out.rate("eth1", has_tos(0)) == pytest.approx(700, rel=0.02)


@pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_hosts_are_served_by_threads(network, load, name):
    middle = network.namespace("router")
    left, right = (network.host(f"host{n}", middle, f"eth{n}", f"10.0.0.{n + 1}/24") for n in (0, 1))
    load(middle, PAPERS / f"{name}.click", options=("-j", "2"))
    assert ping(left, "10.0.0.2", 3) == 3
    payload = Random(2).randbytes(300_000)
    assert tcp_transfer(left, right, "10.0.0.2", 5000, payload) == payload
    assert tcp_transfer(right, left, "10.0.0.1", 5001, payload) == payload

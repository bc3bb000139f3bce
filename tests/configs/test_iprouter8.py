"""configs/papers/iprouter8.click: each of eight interfaces routes to all others, reports errors and speaks ARP."""

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import ARP, Ether
from tests.configs.traffic import PAPERS, macs

#: Its kernel path takes the compiler ten seconds; tests/testing/test_configs.py has what is the same with it and without it.
pytestmark = pytest.mark.executors("native")
PORTS = range(8)
MACS = macs(8)


def host(port: int) -> str:
    return f"02:00:00:00:{port:02x}:99"


@pytest.fixture
def routed(router):
    """The router, which knows the Ethernet address of a host 10.0.N.2 on each of its networks."""
    r = router(PAPERS / "iprouter8.click", devices=MACS)
    for port in PORTS:
        r.write(f"p{port}/arpq.insert", f"10.0.{port}.2 {host(port)}")
    return r


def test_it_routes_between_all_its_networks(routed):
    for source in PORTS:
        for target in PORTS:
            if source != target:
                packet = IP(src=f"10.0.{source}.2", dst=f"10.0.{target}.2", ttl=9) / UDP(sport=1, dport=2) / b"payload"
                routed.send(f"eth{source}", Ether(src=host(source), dst=MACS[f"eth{source}"]) / packet)
                packet.ttl = 8
                routed.expect(f"eth{target}", Ether(src=MACS[f"eth{target}"], dst=host(target)) / packet)
    routed.expect_nothing()


def test_every_interface_answers_arp_and_reports_expired_packets(routed):
    for port in PORTS:
        mac = MACS[f"eth{port}"]
        routed.send(f"eth{port}", Ether(src=host(port)) / ARP(hwsrc=host(port), psrc=f"10.0.{port}.2", pdst=f"10.0.{port}.1"))
        assert routed.expect(f"eth{port}")[ARP].hwsrc == mac
        old = IP(src=f"10.0.{port}.2", dst=f"10.0.{(port + 1) % 8}.2", ttl=1) / UDP()
        routed.send(f"eth{port}", Ether(src=host(port), dst=mac) / old)
        error = routed.expect(f"eth{port}")
        assert (error[IP].src, error[IP].dst, error[ICMP].type) == (f"10.0.{port}.1", f"10.0.{port}.2", 11)


def test_linux_gets_what_is_for_the_router_as_if_it_came_by_its_interface(routed):
    for port in PORTS:
        mac, packet = MACS[f"eth{port}"], IP(src=f"10.0.{port}.2", dst="10.0.7.1") / ICMP()
        routed.send(f"eth{port}", Ether(src=host(port), dst=mac) / packet)
        routed.expect_host(Ether(src=mac, dst=mac) / packet)
    routed.expect_nothing()

"""configs/tunnel-4in6.click at two sites, with real hosts that have IPv4 only.

10.1.0.2 ---- eth0 (1) 2001:db8:ff::1 eth1 ---- eth1 2001:db8:ff::2 (2) eth0 ---- 10.2.0.2
"""

import os
import re

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.waiting import eventually

from clickbpf.testing.traffic import RawPort, ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")

HOSTS = {side: f"10.{side}.0.2" for side in (1, 2)}


@pytest.fixture
def sites(network, gateways):
    ends, made = gateways("tunnel-4in6.click"), []
    for side, place in ends.places.items():
        host = network.host(f"host{side}", place, "eth0", f"{HOSTS[side]}/24", f"10.{side}.0.1")
        place.ip("link", "set", "eth0", "address", ends.site_mac(side))
        tunnel = {"NET_ADDR": f"2001:db8:ff::{side}/64", "PEER": f"2001:db8:ff::{3 - side}"}
        made.append((host, ends.load(side, SITE_ADDR=f"10.{side}.0.1/24", **tunnel)))
    return made


@pytest.mark.whole
def test_two_sites_are_one_network(sites):
    (one, gateway), (two, other) = sites
    assert ping(one, HOSTS[2], 3) == 3
    assert ping(two, HOSTS[1], 3) == 3
    assert gateway.read("sent.count") == gateway.read("in.count") == "6"
    # The tunnel is one hop; its ends are routers, and answer for themselves.
    hops = re.findall(r"^ *\d+  (\S+)", one.run("traceroute", "-n", "-q1", "-w2", "-m4", HOSTS[2]).stdout, re.MULTILINE)
    assert hops == ["10.1.0.1", "10.2.0.1", HOSTS[2]]
    assert ping(one, "10.1.0.1", 1) == 1 and ping(one, "10.2.0.1", 1) == 1
    # Packets that must not be cut are as long as the tunnel permits, others are cut.
    payload = os.urandom(1_000_000)
    assert tcp_transfer(one, two, HOSTS[2], 5000, payload) == payload
    assert "mtu 1460" in one.ip("route", "get", HOSTS[2])
    assert ping(one, HOSTS[2], 2, size=3000, options=("-M", "dont")) == 2
    # What claims to be of the site itself doesn't come out.
    with RawPort(other.where, "eth1") as wire:
        forged = IP(src=HOSTS[1], dst=HOSTS[1]) / UDP(sport=1, dport=2)
        outer = IPv6(src="2001:db8:ff::2", dst="2001:db8:ff::1", nh=4)
        wire.send(bytes(Ether(src="02:00:00:00:01:20", dst="02:00:00:00:01:10") / outer / forged))
    assert eventually(lambda: gateway.read("forged.count") == "1")

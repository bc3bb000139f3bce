"""configs/tunnel.click at two sites, with real hosts.

10.1.0.2 ---- eth0 10.1.0.1 . 192.0.2.1 eth1 ---- eth1 192.0.2.2 . 10.2.0.1 eth0 ---- 10.2.0.2
"""

import os
import re

import pytest

from clickbpf.testing.traffic import ping, tcp_transfer, udp_exchange

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")


@pytest.fixture
def sites(network, gateways):
    ends, made = gateways("tunnel.click"), []
    for side, place in ends.places.items():
        host = network.host(f"host{side}", place, "eth0", f"10.{side}.0.2/24", f"10.{side}.0.1")
        place.ip("link", "set", "eth0", "address", ends.site_mac(side))
        site, other = {"SITE_ADDR": f"10.{side}.0.1/24", "REMOTE": f"10.{3 - side}.0.0/24"}, 3 - side
        made.append((host, ends.load(side, **site, NET_ADDR=f"192.0.2.{side}/24", PEER=f"192.0.2.{other}")))
    return made


@pytest.mark.whole
def test_two_sites_are_one_network(sites):
    (one, gateway), (two, _) = sites
    assert ping(one, "10.2.0.2", 3) == 3
    assert ping(two, "10.1.0.2", 3) == 3
    assert gateway.read("tunnel/sent.count") == gateway.read("tunnel/in.count") == "6"
    # The tunnel is one hop, whatever lies between (RFC 2003, 3.1); its two ends are routers, and each counts.
    assert ping(one, "10.2.0.2", 1, options=("-t", "2"), wait=0.3) == 0
    assert ping(one, "10.2.0.2", 1, options=("-t", "3")) == 1
    hops = re.findall(r"^ *1  (\S+)", one.run("traceroute", "-n", "-q1", "-w1", "-m1", "10.2.0.2").stdout, re.MULTILINE)
    assert hops == ["10.1.0.1"]
    datagrams = [os.urandom(size) for size in (1, 1000, 1452, 4000)]
    assert udp_exchange(one, two, "10.2.0.2", 7, datagrams) == datagrams
    payload = os.urandom(1_000_000)
    assert tcp_transfer(one, two, "10.2.0.2", 5000, payload) == payload
    # What is not for the other site has no way out.
    assert "Net Unreachable" in one.run("ping", "-n", "-c1", "-W1", "198.51.100.1", check=False).stdout

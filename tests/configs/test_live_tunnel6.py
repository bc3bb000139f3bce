"""configs/tunnel-6in4.click at two sites, with real hosts, which make their addresses of what the gateways advertise.

2001:db8:1::ff:fe00:2 ---- eth0 (1) 192.0.2.1 eth1 ---- eth1 192.0.2.2 (2) eth0 ---- 2001:db8:2::ff:fe00:2
"""

import os
import re
from functools import partial

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from tests.configs.test_live_iprouter6 import has
from tests.waiting import eventually

from clickbpf.testing.traffic import RawPort, ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")

HOST_MAC = "02:00:00:00:00:02"
HOSTS = {side: f"2001:db8:{side}::ff:fe00:2" for side in (1, 2)}


@pytest.fixture
def sites(network, gateways):
    ends, made = gateways("tunnel-6in4.click"), []
    for side, place in ends.places.items():
        host = network.namespace(f"host{side}")
        host.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
        network.veth(place, "eth0", host, "eth0", macs=(ends.site_mac(side), HOST_MAC))
        host.offload("eth0", tx=False, gro=True)
        tunnel = {"NET_ADDR": f"192.0.2.{side}/24", "PEER": f"192.0.2.{3 - side}"}
        gateway = ends.load(side, SITE_ADDR=f"2001:db8:{side}::1/64", **tunnel)
        assert eventually(partial(has, host, HOSTS[side])), host.ip("-6", "address")
        made.append((host, gateway))
    return made


@pytest.mark.whole
def test_two_sites_are_one_network(sites):
    (one, gateway), (two, other) = sites
    assert ping(one, HOSTS[2], 3) == 3
    assert ping(two, HOSTS[1], 3) == 3
    assert gateway.read("sent.count") == gateway.read("in.count") == "6"
    # The tunnel is one hop; its ends are routers, and answer for themselves.
    hops = re.findall(r"^ *\d+  (\S+)", one.run("traceroute", "-6", "-n", "-q1", "-w2", "-m4", HOSTS[2]).stdout, re.MULTILINE)
    assert hops == ["2001:db8:1::1", "2001:db8:2::1", HOSTS[2]]
    assert ping(one, "2001:db8:1::1", 1) == 1 and ping(one, "2001:db8:2::1", 1) == 1
    payload = os.urandom(1_000_000)
    assert tcp_transfer(one, two, HOSTS[2], 5000, payload) == payload
    # What claims to be of the site itself doesn't come out.
    place = other.where
    with RawPort(place, "eth1") as wire:
        forged = IPv6(src=HOSTS[1], dst=HOSTS[1]) / UDP(sport=1, dport=2)
        wire.send(bytes(Ether(src="02:00:00:00:01:20", dst="02:00:00:00:01:10") / IP(src="192.0.2.2", dst="192.0.2.1", proto=41) / forged))
    assert eventually(lambda: gateway.read("forged.count") == "1")

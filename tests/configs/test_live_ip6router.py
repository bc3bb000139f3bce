"""configs/ip6router.click between Linux hosts, whose neighbour discovery, traceroute and path MTU discovery it has to please.

2001:db8::2 ---- eth0 2001:db8::1 . 2001:db8:1::1 eth1 ---- 2001:db8:1::2
"""

import os
import re
import signal
import socket
import time

import pytest
from tests.configs.traffic import CONFIGS

from clickbpf.load.files.places import RunFolder
from clickbpf.load.life import service
from clickbpf.testing.netns import PATIENCE
from clickbpf.testing.traffic import ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")

MACS = ("02:00:00:00:00:10", "02:00:00:00:01:10")
LINKS = ("fe80::ff:fe00:10", "fe80::ff:fe00:110")


@pytest.fixture
def routed(network, load):
    """routed(MTU1="1280"): the router and its two hosts."""

    def make(**variables):
        place = network.namespace("router")
        place.sysctl("net.ipv6.conf.default.disable_ipv6", "1")
        hosts = []
        for side, (net, mac) in enumerate(zip(("2001:db8:0", "2001:db8:1"), MACS)):
            host = network.namespace(f"host{side}")
            host.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
            host.sysctl("net.ipv6.conf.default.accept_dad", "0")
            network.veth(place, f"eth{side}", host, "eth0")
            place.ip("link", "set", f"eth{side}", "address", mac)
            host.offload("eth0", tx=False, gro=True)
            host.address("eth0", f"{net}::2/64")
            host.route("default", f"{net}::1")
            hosts.append(host)
        return load(place, CONFIGS / "ip6router.click", **variables), *hosts

    return make


def test_hosts_reach_each_other(routed):
    router, one, two = routed()
    assert ping(one, "2001:db8:1::2", 3) == 3
    assert ping(two, "2001:db8::2", 3) == 3
    # Linux takes the router's advertisements, and the router Linux's.
    assert "lladdr 02:00:00:00:00:10 router" in one.ip("-6", "neighbour", "show", "2001:db8::1", "dev", "eth0")
    assert router.read("nd0.table").startswith("2001:db8::2 1 ") and router.read("nd1.table").startswith("2001:db8:1::2 1 ")
    # The router's own addresses, those of its links, and none that isn't there.
    for address in ("2001:db8::1", "2001:db8:1::1", f"{LINKS[0]}%eth0"):
        assert ping(one, address, 2) == 2
    assert ping(one, f"{LINKS[1]}%eth0", 1, wait=0.3) == 0
    assert ping(one, "2001:db8:1::77", 1, wait=0.3) == 0
    # One hop, and an error for who has none left.
    assert ping(one, "2001:db8:1::2", 1, options=("-t", "1"), wait=0.3) == 0
    assert ping(one, "2001:db8:1::2", 1, options=("-t", "2")) == 1
    trace = one.run("traceroute", "-6", "-n", "-q1", "-w10", "-m3", "2001:db8:1::2").stdout
    assert re.findall(r"^ *\d+  (\S+)", trace, re.MULTILINE) == ["2001:db8:1::1", "2001:db8:1::2"]


def test_tcp(routed):
    _, one, two = routed()
    payload = os.urandom(5_000_000)
    assert tcp_transfer(one, two, "2001:db8:1::2", 5000, payload) == payload
    assert tcp_transfer(two, one, "2001:db8::2", 5000, payload) == payload


def test_the_path_mtu_is_found(routed):
    """What is too big for the second link comes back with its MTU, and Linux sends smaller packets (RFC 8201)."""
    router, one, two = routed(MTU1="1280")
    two.ip("link", "set", "eth0", "mtu", "1280")
    # One packet waits while the router asks for a neighbour: of a packet in two fragments, one would be lost.
    assert ping(one, "2001:db8:1::2", 1) == 1
    end = time.monotonic() + PATIENCE
    while "mtu 1280" not in one.ip("-6", "route", "get", "2001:db8:1::2"):
        assert time.monotonic() < end, "Linux has not learnt of the link's MTU"
        ping(one, "2001:db8:1::2", 1, size=1400, wait=0.3)
    assert ping(one, "2001:db8:1::2", 3, size=1400) == 3
    payload = os.urandom(1_000_000)
    assert tcp_transfer(one, two, "2001:db8:1::2", 5000, payload) == payload


def test_extension_headers_pass(routed):
    """A destination options header in front of UDP."""
    _, one, two = routed()
    assert ping(one, "2001:db8:1::2", 1) == 1
    with two.socket(socket.AF_INET6, socket.SOCK_DGRAM) as listening, one.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sending:
        listening.bind(("2001:db8:1::2", 7))
        listening.settimeout(PATIENCE)
        options = bytes([0, 0, 1, 4, 0, 0, 0, 0])
        sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, options)
        sending.sendto(b"behind options", ("2001:db8:1::2", 7))
        assert listening.recv(100) == b"behind options"


def test_forwarding_is_the_kernels(routed):
    """With its runtime stopped, the router still forwards between neighbours that it knows."""
    router, one, two = routed()
    payload = os.urandom(1_000_000)
    assert ping(one, "2001:db8:1::2", 1) == 1 and ping(two, "2001:db8::2", 1) == 1
    # What Linux believes of its neighbour has to last as long: it would ask again, and the runtime answers.
    for host, gateway, mac in ((one, "2001:db8::1", MACS[0]), (two, "2001:db8:1::1", MACS[1])):
        host.neighbour("eth0", gateway, mac)
    runtime = service.alive(RunFolder.of(router.name))
    os.kill(runtime, signal.SIGSTOP)
    try:
        assert ping(one, "2001:db8:1::2", 20) == 20
        assert ping(two, "2001:db8:1::1", 3) == 3
        assert tcp_transfer(one, two, "2001:db8:1::2", 5000, payload) == payload
    finally:
        os.kill(runtime, signal.SIGCONT)

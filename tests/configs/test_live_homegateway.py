"""configs/homegateway.click between Linux hosts: a house that has both families, a provider, and a server.

pc                                gateway                                      isp                                 server
192.168.0.2       ---- 192.168.0.1       198.51.100.1    ---- 198.51.100.254   203.0.113.1     ---- 203.0.113.5
2001:db8:100::... ---- 2001:db8:100::1   2001:db8:0:1::2 ---- 2001:db8:0:1::1  2001:db8:9::1   ---- 2001:db8:9::5
"""

import errno
import os
import re
import socket
from functools import partial

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import ICMPv6ND_RA, ICMPv6ND_RS, ICMPv6NDOptPrefixInfo, ICMPv6NDOptRDNSS, IPv6, IPv6ExtHdrFragment
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.configs.conftest import Loaded
from tests.configs.connections import assert_a_connection_outlasts_the_runtime
from tests.configs.test_live_iprouter6 import has, received
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

from clickbpf.testing.netns import PATIENCE, Network
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")]

PC, PC6 = "192.168.0.2", "2001:db8:100::ff:fe00:2"
SERVER, SERVER6 = "203.0.113.5", "2001:db8:9::5"
PUBLIC = "198.51.100.1"
IN6, OUT6, ISP6 = "2001:db8:100::1", "2001:db8:0:1::2", "2001:db8:0:1::1"
IN_MAC, OUT_MAC, PC_MAC = "02:00:00:00:00:10", "02:00:00:00:01:10", "02:00:00:00:00:02"
FAMILIES = axis((socket.AF_INET, SERVER), (socket.AF_INET6, SERVER6), rows=True)
BOTH = pytest.mark.parametrize("family, target", FAMILIES, ids=["IPv4", "IPv6"])


@pytest.fixture(scope="module")
def house():
    """(pc, isp, server, the gateway); the pc has an IPv6 address by what the gateway advertises."""
    with Network() as network:
        place = network.namespace("gateway")
        place.sysctl("net.ipv6.conf.default.disable_ipv6", "1")
        pc = network.namespace("pc")
        pc.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
        network.veth(place, "eth0", pc, "eth0", macs=(IN_MAC, PC_MAC))
        pc.address("eth0", f"{PC}/24")
        pc.route("default", "192.168.0.1")
        pc.offload("eth0", tx=False, gro=True)
        isp = network.host("isp", place, "eth1", "198.51.100.254/24")
        server = network.host("server", isp, "eth1", f"{SERVER}/24", "203.0.113.1")
        for host in (isp, server):
            host.sysctl("net.ipv6.conf.all.disable_ipv6", "0")
        for host, device, address in (
            (isp, "eth0", f"{ISP6}/64"), (isp, "eth1", "2001:db8:9::1/64"), (server, "eth0", f"{SERVER6}/64"),
        ):  # fmt: skip
            host.ip("-6", "address", "add", address, "dev", device, "nodad")
        isp.address("eth1", "203.0.113.1/24")
        for family in ("ipv4.ip_forward", "ipv6.conf.all.forwarding"):
            isp.sysctl(f"net.{family}", "1")
        isp.ip("-6", "route", "add", "2001:db8:100::/56", "via", OUT6)
        server.ip("-6", "route", "add", "default", "via", "2001:db8:9::1")
        place.ip("link", "set", "eth1", "address", OUT_MAC)
        for device, address in (("eth0", "192.168.0.1/24"), ("eth1", f"{PUBLIC}/24")):
            place.address(device, address)
        gateway = Loaded(place, CONFIGS / "homegateway.click")
        try:
            assert eventually(partial(has, pc, PC6)), pc.ip("-6", "address")
            yield pc, isp, server, gateway
        finally:
            gateway.unload()


def test_pings(house):
    pc, isp, server, _ = house
    for target in (SERVER, SERVER6, "192.168.0.1", IN6, OUT6):
        assert ping(pc, target, 2) == 2, target
    # Pings come in by IPv6 (RFC 4890, 4.3.1), those in pieces are put together first; the gateway answers for itself.
    assert ping(server, PC6, 2) == 2
    assert ping(server, PC6, 2, size=3000) == 2
    assert ping(pc, SERVER6, 2, size=3000) == 2
    assert ping(isp, OUT6, 2) == 2
    assert ping(server, PC, 1, wait=0.3) == 0, "nobody outside knows the house's IPv4 addresses"


@BOTH
def test_tcp(house, family, target):
    pc, _, server, _ = house
    payload = os.urandom(2_000_000)
    assert tcp_transfer(pc, server, target, 8000, payload) == payload


@BOTH
def test_the_way_is_seen(house, family, target):
    pc, *_ = house
    way = {SERVER: ["192.168.0.1", "198.51.100.254", SERVER], SERVER6: [IN6, ISP6, SERVER6]}[target]
    option = ["-6"] if family == socket.AF_INET6 else []
    trace = pc.run("traceroute", *option, "-n", "-q1", "-w2", "-m4", target).stdout
    assert re.findall(r"^ *\d+  (\S+)", trace, re.MULTILINE) == way


def test_what_nobody_asked_for_is_refused(house):
    """TCP and UDP, to an open port; a client by IPv6 that isn't allowed in gets an error."""
    pc, _, server, gateway = house
    before = int(gateway.read("filter.refused"))
    with pc.socket(socket.AF_INET6) as listening, server.socket(socket.AF_INET6) as asking:
        listening.bind((PC6, 22))
        listening.listen(1)
        asking.settimeout(PATIENCE)
        with pytest.raises(OSError) as refused:
            asking.connect((PC6, 22))
        assert refused.value.errno == errno.EACCES, "administratively prohibited"
    assert int(gateway.read("filter.refused")) > before
    with pc.socket(socket.AF_INET6, socket.SOCK_DGRAM) as listening, server.socket(socket.AF_INET6, socket.SOCK_DGRAM) as asking:
        listening.bind((PC6, 5000))
        asking.bind((SERVER6, 53))
        asking.sendto(b"nobody asked", (PC6, 5000))
        # The same from who was asked, to the same port, comes in.
        listening.sendto(b"question", (SERVER6, 53))
        asking.settimeout(PATIENCE)
        listening.settimeout(PATIENCE)
        assert eventually(lambda: receive(asking) == b"question")
        asking.sendto(b"answer", (PC6, 5000))
        assert listening.recv(100) == b"answer"
    with pc.socket() as listening, server.socket() as asking:
        listening.bind((PC, 22))
        listening.listen(1)
        asking.settimeout(0.5)
        with pytest.raises(OSError):
            asking.connect((PUBLIC, 22))


def receive(asking):
    """An error about what it has sent before may be there first."""
    try:
        return asking.recv(100)
    except OSError as error:
        assert error.errno == errno.EACCES
        return None


def test_errors_come_in(house):
    """A port that nobody listens on is one in either family."""
    pc, *_ = house
    for family, target in ((socket.AF_INET, SERVER), (socket.AF_INET6, SERVER6)):
        with pc.socket(family, socket.SOCK_DGRAM) as asking:
            asking.settimeout(PATIENCE)
            asking.connect((target, 9))
            asking.send(b"nobody")
            with pytest.raises(ConnectionRefusedError):
                asking.recv(100)


def test_the_path_mtu_is_found(house):
    pc, isp, server, _ = house
    for host, device in ((isp, "eth1"), (server, "eth0")):
        host.ip("link", "set", device, "mtu", "1300")
    try:
        for target in (SERVER, SERVER6):

            def found(target=target):
                ping(pc, target, 1, size=1400, wait=0.3, options=("-M", "do"))
                return "mtu 1300" in pc.ip("route", "get", target)

            assert eventually(found), pc.ip("route", "get", target)
    finally:
        for host, device in ((isp, "eth1"), (server, "eth0")):
            host.ip("link", "set", device, "mtu", "1500")


def test_what_the_gateway_says_of_itself(house):
    """Prefix, and who resolves names (RFC 8106)."""
    pc, *_ = house
    assert "default via fe80::ff:fe00:10 dev eth0 proto ra" in pc.ip("-6", "route")
    with RawPort(pc, "eth0") as wire:
        wire.send(bytes(Ether(src=PC_MAC, dst="33:33:00:00:00:02") / IPv6(src="fe80::ff:fe00:2", dst="ff02::2", hlim=255) / ICMPv6ND_RS()))
        seen = received(wire, ICMPv6ND_RA)
    assert seen[ICMPv6NDOptPrefixInfo].prefix == "2001:db8:100::"
    assert seen[ICMPv6NDOptRDNSS].dns == ["2001:db8:53::53"]


def test_what_is_forged_or_nobodys_does_not_pass(house):
    """RFC 6092, 3.1: addresses of the house don't come from outside, others not from inside; RFC 7084, WPD-5."""
    pc, isp, server, gateway = house
    before = {name: int(gateway.read(f"{name}.count")) for name in ("forged6", "forged6_out")}
    with RawPort(pc, "eth0") as inside, RawPort(isp, "eth0") as outside:
        inside.send(bytes(Ether(src=PC_MAC, dst=IN_MAC) / IPv6(src="2001:db8:77::1", dst=SERVER6) / UDP()))
        for source in ("2001:db8:100::77", "fd00::1", "fe80::77"):
            outside.send(bytes(Ether(dst=OUT_MAC) / IPv6(src=source, dst=PC6) / UDP()))
        # A later fragment has nothing that could have been asked for.
        outside.send(bytes(Ether(dst=OUT_MAC) / IPv6(src=SERVER6, dst=PC6) / IPv6ExtHdrFragment(nh=17, offset=9) / bytes(16)))
        assert eventually(lambda: int(gateway.read("forged6.count")) == before["forged6"] + 1)
        assert eventually(lambda: int(gateway.read("forged6_out.count")) == before["forged6_out"] + 3)
    for host, source in ((pc, PC6), (server, SERVER6)):
        with host.socket(socket.AF_INET6) as asking:
            asking.settimeout(PATIENCE)
            with pytest.raises(OSError) as refused:
                asking.connect(("2001:db8:100:42::1", 80))
            assert refused.value.errno == errno.ENETUNREACH, source


@BOTH
def test_connections_go_on_without_the_runtime(house, family, target):
    pc, _, server, gateway = house
    with server.socket(family) as listening, pc.socket(family) as client:
        assert_a_connection_outlasts_the_runtime(gateway.name, client, target, listening, target, PATIENCE)

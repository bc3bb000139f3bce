"""configs/tunnel-gre6.click at two sites, with real hosts that have IPv4 and IPv6.

10.1.0.2            ---- eth0 (1) 2001:db8:ff::1 eth1 ---- eth1 2001:db8:ff::2 (2) eth0 ---- 10.2.0.2
2001:db8:1::ff:...2 ----                                                                ---- 2001:db8:2::ff:...2
"""

import os
import re
from functools import partial

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.inet6 import ICMPv6EchoReply, ICMPv6EchoRequest, IPv6, IPv6ExtHdrDestOpt
from scapy.layers.l2 import GRE, Ether
from scapy.packet import Raw
from tests.configs.test_live_iprouter6 import has
from tests.waiting import eventually

from clickbpf.testing.traffic import RawPort, ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")

HOSTS = {side: f"10.{side}.0.2" for side in (1, 2)}
HOSTS6 = {side: f"2001:db8:{side}::ff:fe00:{side}2" for side in (1, 2)}
KEY = 77
#: What Linux' ip6gre puts before a GRE header: the packet may be wrapped four times more (RFC 2473, 4.1.1), and padding.
LIMIT = IPv6ExtHdrDestOpt(bytes.fromhex("2f00040104010100"))


@pytest.fixture
def sites(network, gateways):
    ends, made = gateways("tunnel-gre6.click"), []
    for side, place in ends.places.items():
        host = network.namespace(f"host{side}")
        host.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
        place.sysctl("net.ipv6.conf.default.disable_ipv6", "1")
        network.veth(place, "eth0", host, "eth0", macs=(ends.site_mac(side), f"02:00:00:00:00:{side}2"))
        host.address("eth0", f"{HOSTS[side]}/24")
        host.route("default", f"10.{side}.0.1")
        host.offload("eth0", tx=False, gro=True)
        site = {"SITE_ADDR": f"10.{side}.0.1/24", "SITE_ADDR6": f"2001:db8:{side}::1/64"}
        tunnel = {"NET_ADDR": f"2001:db8:ff::{side}/64", "PEER": f"2001:db8:ff::{3 - side}", "KEY": str(KEY)}
        made.append((host, ends.load(side, **site, **tunnel)))
    for side, (host, _) in enumerate(made, 1):
        assert eventually(partial(has, host, HOSTS6[side])), host.ip("-6", "address")
    return made


@pytest.mark.whole
def test_two_sites_are_one_network(sites):
    (one, gateway), (two, _) = sites
    for near, far in ((HOSTS, "10.2.0.1"), (HOSTS6, "2001:db8:2::1")):
        sent = int(gateway.read("sent.count"))
        assert ping(one, near[2], 3) == 3
        assert ping(two, near[1], 3) == 3
        assert int(gateway.read("sent.count")) == sent + 6
        # The tunnel is one hop; its ends are routers, and answer for themselves.
        own = far.replace("2", "1", 1) if near is HOSTS else far.replace(":2:", ":1:")
        option = ["-6"] if near is HOSTS6 else []
        trace = one.run("traceroute", *option, "-n", "-q1", "-w2", "-m4", near[2]).stdout
        assert re.findall(r"^ *\d+  (\S+)", trace, re.MULTILINE) == [own, far, near[2]]
        assert ping(one, own, 1) == 1 and ping(one, far, 1) == 1
        payload = os.urandom(1_000_000)
        assert tcp_transfer(one, two, near[2], 5000, payload) == payload
    # Linux has taken the MTU from the advertisement, and of IPv4 from an error; what may be cut is cut.
    assert ping(one, HOSTS6[2], 1, size=1452 - 48, options=("-M", "do")) == 1
    assert "mtu 1452" in one.ip("route", "get", HOSTS[2])
    assert ping(one, HOSTS[2], 2, size=3000, options=("-M", "dont")) == 2


def wrapped(inner, key=KEY, limit=None, source="2001:db8:ff::2"):
    outer = Ether(src="02:00:00:00:01:20", dst="02:00:00:00:01:10") / IPv6(src=source, dst="2001:db8:ff::1", nh=47)
    gre = GRE(proto=0x86DD if IPv6 in inner else 0x0800, key_present=1, key=key)
    if limit:
        outer[IPv6].nh = 60
        return bytes(outer / limit / gre / inner)
    return bytes(outer / gre / inner)


@pytest.mark.whole
@pytest.mark.parametrize("limit", [None, LIMIT], ids=["plain", "with a limit as Linux has"])
def test_what_comes_out(sites, limit):
    """What a host answers to; and nothing with another key, from another end, or from the site itself."""
    (_, gateway), (two, other) = sites
    asked = IPv6(src=HOSTS6[2], dst=HOSTS6[1]) / ICMPv6EchoRequest(id=7, data=b"ping")
    asked4 = IP(src=HOSTS[2], dst=HOSTS[1]) / ICMP(type=8, id=7) / Raw(b"ping")
    with RawPort(other.where, "eth1") as wire, RawPort(two, "eth0") as home:
        for packet in (asked, asked4):
            wire.send(wrapped(packet, limit=limit))
        frames = []

        def answers():
            frames.extend(Ether(frame) for frame in iter(home.receive, None))
            return [frame for frame in frames if ICMPv6EchoReply in frame or (ICMP in frame and frame[ICMP].type == 0)]

        assert eventually(lambda: len(answers()) == 2)
        came, forged = (int(gateway.read(f"{name}.count")) for name in ("in", "forged"))
        wire.send(wrapped(asked, key=KEY + 1, limit=limit))
        wire.send(wrapped(asked, source="2001:db8:ff::3", limit=limit))
        wire.send(wrapped(IPv6(src=HOSTS6[1], dst=HOSTS6[1]) / ICMPv6EchoRequest(), limit=limit))
        wire.send(wrapped(IP(src=HOSTS[1], dst=HOSTS[1]) / ICMP(type=8), limit=limit))
        assert eventually(lambda: int(gateway.read("forged.count")) == forged + 2)
        assert int(gateway.read("in.count")) == came + 2 and gateway.read("gre.drops") == "1"

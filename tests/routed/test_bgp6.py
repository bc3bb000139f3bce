"""BGP over IPv6 gives an accelerated router routes of both families: IPv4's have gateways of IPv6 (RFC 8950)."""

import os

import pytest
from tests.accelerated import Accelerated
from tests.routed.lab import with_ipv6
from tests.waiting import eventually

from clickbpf.testing.traffic import ping

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19", "bird")]
BIRD = """
router id 10.255.0.{number};
protocol device {{ }}
protocol static {{ ipv4; {route4} }}
protocol static {{ ipv6; {route6} }}
protocol kernel {{ ipv4 {{ export where source = RTS_BGP; }}; }}
protocol kernel {{ ipv6 {{ export where source = RTS_BGP; }}; }}
protocol bgp {{
	local 2001:db8:1::{number} as {number}; neighbor 2001:db8:1::{other} as {other}; connect delay time 1;
	ipv4 {{ import all; export all; extended next hop on; }};
	ipv6 {{ import all; export all; }};
}}
"""
#: What the peer has behind it.
BEHIND = {"198.18.0.1": "198.18.0.0/16", "2001:db8:9::1": "2001:db8:9::/48"}


def side(where, device, number, host):
    """Addresses of the first side, of both families, or of the second one, of IPv6."""
    with_ipv6(where, device)
    if not number:
        where.address(device, f"10.0.0.{host}/24")
    where.address(device, f"2001:db8:{number}::{host}/64")


def test_both_families_come_by_ipv6(network, undo, tmp_path):
    linux, one, peer = (network.namespace(name) for name in ("router", "one", "peer"))
    for number, host in enumerate((one, peer)):
        network.veth(linux, f"eth{number}", host, "eth0")
        host.offload("eth0", tx=False, gro=True)
        side(linux, f"eth{number}", number, 1)
        side(host, "eth0", number, 2)
    for name in ("ipv4.ip_forward", "ipv6.conf.all.forwarding"):
        linux.sysctl(f"net.{name}", "1")
    one.route("default", "10.0.0.1")
    one.ip("-6", "route", "add", "default", "via", "2001:db8:0::1")
    peer.ip("route", "add", "10.0.0.0/24", "via", "inet6", "2001:db8:1::1", "dev", "eth0")
    peer.ip("-6", "route", "add", "2001:db8:0::/64", "via", "2001:db8:1::1")
    peer.sysctl("net.ipv6.conf.lo.disable_ipv6", "0")
    for address in BEHIND:
        peer.ip("address", "add", address, "dev", "lo")
    router = Accelerated(linux, f"bgp{os.getpid()}")
    undo.callback(router.unload)
    routes = [f"route {prefix} blackhole;" for prefix in BEHIND.values()]
    for number, where, (route4, route6) in ((1, linux, ("", "")), (2, peer, routes)):
        config = tmp_path / f"{number}.conf"
        config.write_text(BIRD.format(number=number, other=3 - number, route4=route4, route6=route6))
        where.popen("bird", "-f", "-c", str(config), "-s", str(tmp_path / f"{number}.ctl"))
    for (address, prefix), table in zip(BEHIND.items(), ("rt", "rt6")):
        assert eventually(lambda of=(prefix, table): router.row(*of) == "2001:db8:1::2 1"), linux.ip("route") + linux.ip("-6", "route")
        # Linux asks for the neighbour; from then on XDP forwards.
        assert eventually(lambda to=address: ping(one, to, 1) == 1)
        assert eventually(lambda: "2001:db8:1::2 " in router.read("departure1/next.table"))
        before = int(router.read("out1.count"))
        assert ping(one, address, 5) == 5 and int(router.read("out1.count")) >= before + 5

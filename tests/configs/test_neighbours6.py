"""What the gateways with IPv6 do as iprouter.click does: nobody's address isn't forwarded (RFC 4291, 2.5.2), and a host that asks from
another Ethernet address is reached there (RFC 4861, 7.2.3)."""

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, ICMPv6ND_NS, ICMPv6NDOptSrcLLAddr, IPv6
from scapy.layers.l2 import GRE, Ether
from tests.configs.traffic import CONFIGS

MACS = {"eth0": "02:00:00:00:00:10", "eth1": "02:00:00:00:01:10"}
HOST, NEW = "02:00:00:00:00:02", "02:00:00:00:00:99"

pytestmark = pytest.mark.executors("native")


@pytest.fixture
def gateway(router):
    return lambda name, **variables: router(CONFIGS / f"{name}.click", devices=MACS, simtime=True, variables=variables)


def from_nobody(host):
    return IPv6(src="::", dst=host) / ICMPv6EchoRequest()


SITE = "2001:db8:1::5"
IN_IP4 = IP(src="192.0.2.2", dst="192.0.2.1", proto=41)
IN_GRE = IPv6(src="2001:db8:ff::2", dst="2001:db8:ff::1") / GRE(proto=0x86DD, key_present=1, key=0)


@pytest.mark.parametrize(
    "name, device, packet",
    [
        ("tunnel-6in4", "eth0", from_nobody("2001:db8:9::1")),
        ("tunnel-6in4", "eth0", IPv6(src=SITE, dst="::") / UDP()),
        ("tunnel-6in4", "eth1", IN_IP4 / from_nobody(SITE)),
        ("tunnel-gre6", "eth0", from_nobody("2001:db8:9::1")),
        ("tunnel-gre6", "eth1", IN_GRE / from_nobody(SITE)),
        ("tunnel-gre6", "eth1", IN_GRE / IPv6(src="fe80::5", dst=SITE) / ICMPv6EchoRequest()),
        ("nat64", "eth0", from_nobody("64:ff9b::198.51.100.7")),
        ("homegateway", "eth0", from_nobody("2001:db8:9::1")),
        ("homegateway", "eth1", from_nobody("2001:db8:100::5")),
    ],
)
def test_nobodys_packets_are_not_forwarded(gateway, name, device, packet):
    """Nor those from the link of the tunnel's other end. What would be forwarded begins with a question for a neighbour."""
    r = gateway(name, **({"ADVERTISE": "false"} if name in ("tunnel-gre6", "homegateway") else {}))
    r.send(device, Ether(src=HOST, dst=MACS[device]) / packet)
    r.expect_nothing()
    assert r.dropped() == 1


@pytest.mark.parametrize(
    "name, device, solicitor, ours, host",
    [
        ("tunnel-6in4", "eth0", "nd", "2001:db8:1::1", SITE),
        ("tunnel-4in6", "eth1", "nd", "2001:db8:ff::1", "2001:db8:ff::2"),
        ("tunnel-gre6", "eth0", "site_nd", "2001:db8:1::1", SITE),
        ("tunnel-gre6", "eth1", "nd", "2001:db8:ff::1", "2001:db8:ff::2"),
        ("nat64", "eth0", "nd", "2001:db8:1::1", SITE),
        ("homegateway", "eth0", "in_nd", "2001:db8:100::1", "2001:db8:100::5"),
        ("homegateway", "eth1", "out_nd", "2001:db8:0:1::2", "2001:db8:0:1::1"),
    ],
)
def test_a_neighbour_gets_a_new_ethernet_address(gateway, name, device, solicitor, ours, host):
    r = gateway(name, **({"ADVERTISE": "false"} if name in ("tunnel-gre6", "homegateway") else {}))
    r.write(f"{solicitor}.insert", f"{host} {HOST}")
    asks = IPv6(src=host, dst=ours, hlim=255) / ICMPv6ND_NS(tgt=ours) / ICMPv6NDOptSrcLLAddr(lladdr=NEW)
    r.send(device, Ether(src=NEW, dst=MACS[device]) / asks)
    assert r.expect(device).dst == NEW, "the answer"
    assert r.read(f"{solicitor}.table") == f"{host} 1 {NEW.replace(':', '-')}\n"

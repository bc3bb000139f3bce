"""configs/papers/mobile-*.click with real hosts: a host that is away is reached at home (Click paper, Figure 14).

    correspondent          home agent                foreign agent          mobile
    10.0.0.2  ---- eth0 10.0.0.1 . 192.0.2.1 eth1 ---- eth1 192.0.2.2 . eth0 ----  10.0.0.9

The mobile host has the address, the netmask and no route but that of its home network: it doesn't know that it is away.
"""

import os

import pytest
from tests.configs.traffic import PAPERS

from clickbpf.testing.traffic import ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

CORRESPONDENT, MOBILE = "10.0.0.2", "10.0.0.9"


@pytest.fixture
def away(network, load):
    """(the correspondent, the mobile host, the home agent, the foreign agent)"""
    home, foreign = network.namespace("home"), network.namespace("foreign")
    correspondent = network.host("correspondent", home, "eth0", f"{CORRESPONDENT}/24")
    mobile = network.host("mobile", foreign, "eth0", f"{MOBILE}/24")
    network.veth(home, "eth1", foreign, "eth1", macs=("02:00:00:00:01:10", "02:00:00:00:01:20"))
    home.ip("link", "set", "eth0", "address", "02:00:00:00:00:10")
    foreign.ip("link", "set", "eth0", "address", "02:00:00:00:00:20")
    agents = load(home, PAPERS / "mobile-home.click"), load(foreign, PAPERS / "mobile-foreign.click")
    return correspondent, mobile, *agents


@pytest.mark.whole
def test_hosts_reach_it_and_it_reaches_them(away):
    correspondent, mobile, home, foreign = away
    assert ping(correspondent, MOBILE, 3) == 3
    assert ping(mobile, CORRESPONDENT, 3) == 3
    assert [agent.read(f"tunnel/{way}.count") for agent in (home, foreign) for way in ("sent", "in")] == ["6"] * 4
    # Each takes the agent for the other: proxy ARP.
    assert "02:00:00:00:00:10" in correspondent.ip("neighbour", "show", MOBILE)
    assert "02:00:00:00:00:20" in mobile.ip("neighbour", "show", CORRESPONDENT)

    # A long packet that must not be cut is refused with what the tunnel takes, and hosts adapt.
    assert ping(correspondent, MOBILE, 1, size=1472, options=("-M", "do")) == 0
    assert "mtu 1480" in correspondent.ip("route", "get", MOBILE)
    payload = os.urandom(500_000)
    assert tcp_transfer(mobile, correspondent, CORRESPONDENT, 5000, payload) == payload
    assert tcp_transfer(correspondent, mobile, MOBILE, 5001, payload) == payload

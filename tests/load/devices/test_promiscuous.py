"""Devices of routers that read them whole."""

import socket
import struct

import pytest
from tests.axes import axis
from tests.cli.conftest import OWN, execute, net, router  # noqa: F401

pytestmark = pytest.mark.needs("root", "ip", "clang-19")

#: <linux/if_packet.h>.
SOL_PACKET, PACKET_ADD_MEMBERSHIP, PACKET_MR_PROMISC = 263, 1, 1
BRIDGE = "FromDevice(eth0, PROMISC true) -> Queue -> ToDevice(eth1); FromDevice(eth1) -> Queue -> ToDevice(eth0);"


def promiscuous(router) -> list[bool]:  # noqa: F811
    """Whether `ip link` has switched it on, on eth0 and eth1."""
    return ["PROMISC" in router.ip("link", "show", device) for device in ("eth0", "eth1")]


@pytest.fixture
def load(router):  # noqa: F811
    """Loads a router of the test's own with these words, and says what it says."""
    yield lambda *words, text=BRIDGE: execute(router, "load", "-n", OWN, *words, "-e", text)
    execute(router, "unload", OWN)


@pytest.mark.parametrize("hook", axis("xdp", "tc"))
def test_as_long_as_the_router_is_loaded(router, load, hook):  # noqa: F811
    assert "eth0: promiscuous mode is switched on" in load("--dry-run", "--hook", hook).out
    assert promiscuous(router) == [False, False]
    for words in ((), ("--replace",)):
        done = load(*words, "--hook", hook)
        assert (done.status, promiscuous(router)) == (0, [True, False]), done.err
    assert execute(None, "unload", OWN).status == 0
    assert promiscuous(router) == [False, False]


def listening_to_all(device: str) -> socket.socket:
    """A packet socket that asks for all frames of a device, as tcpdump's does (packet(7): PACKET_ADD_MEMBERSHIP, PACKET_MR_PROMISC)."""
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    opened.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, struct.pack("=iHH8x", socket.if_nametoindex(device), PACKET_MR_PROMISC, 0))
    return opened


def test_what_the_user_has_switched_on_stays_but_who_listens_has_not(router, load):  # noqa: F811
    with router.call(lambda: listening_to_all("eth0")):
        assert promiscuous(router) == [False, False]
        assert load().status == 0
    assert promiscuous(router) == [True, False]
    assert execute(router, "unload", OWN).status == 0
    assert promiscuous(router) == [False, False]
    router.ip("link", "set", "eth0", "promisc", "on")
    assert load().status == 0
    assert execute(router, "unload", OWN).status == 0
    assert promiscuous(router) == [True, False]


def test_nothing_is_left_of_a_load_that_fails(router, load):  # noqa: F811
    router.ip("link", "add", "br0", "type", "bridge")
    router.ip("link", "set", "br0", "up")
    assert "no native XDP" in load("--mode", "native", text=BRIDGE.replace("eth1", "br0")).err
    assert promiscuous(router) == [False, False]

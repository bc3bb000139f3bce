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


@pytest.mark.parametrize("hook", axis("xdp", "tc"))
def test_as_long_as_the_router_is_loaded(router, tmp_path, hook):  # noqa: F811
    file = tmp_path / f"{OWN}.click"
    file.write_text(BRIDGE)
    assert "eth0: promiscuous mode is switched on" in execute(router, "load", "--dry-run", "--hook", hook, str(file)).out
    assert promiscuous(router) == [False, False]
    done = execute(router, "load", "--hook", hook, str(file))
    assert done.status == 0, done.err
    assert promiscuous(router) == [True, False]
    assert execute(router, "load", "--replace", "--hook", hook, str(file)).status == 0
    assert promiscuous(router) == [True, False]
    assert execute(None, "unload", OWN).status == 0
    assert promiscuous(router) == [False, False]


def test_what_the_user_has_switched_on_stays(router, tmp_path):  # noqa: F811
    router.ip("link", "set", "eth0", "promisc", "on")
    file = tmp_path / f"{OWN}.click"
    file.write_text(BRIDGE)
    assert execute(router, "load", str(file)).status == 0
    assert execute(router, "unload", OWN).status == 0
    assert promiscuous(router) == [True, False]


def listening_to_all(device: str) -> socket.socket:
    """A packet socket that asks for all frames of a device, as tcpdump's does (packet(7): PACKET_ADD_MEMBERSHIP, PACKET_MR_PROMISC)."""
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    opened.setsockopt(SOL_PACKET, PACKET_ADD_MEMBERSHIP, struct.pack("=iHH8x", socket.if_nametoindex(device), PACKET_MR_PROMISC, 0))
    return opened


def test_who_listens_for_a_while_does_not_stand_in_for_it(router, tmp_path):  # noqa: F811
    file = tmp_path / f"{OWN}.click"
    file.write_text(BRIDGE)
    with router.call(lambda: listening_to_all("eth0")):
        assert promiscuous(router) == [False, False]
        assert execute(router, "load", str(file)).status == 0
    assert promiscuous(router) == [True, False]
    assert execute(router, "unload", OWN).status == 0
    assert promiscuous(router) == [False, False]


def test_nothing_is_left_of_a_load_that_fails(router, tmp_path):  # noqa: F811
    file = tmp_path / f"{OWN}.click"
    file.write_text(BRIDGE.replace("eth1", "br0"))
    router.ip("link", "add", "br0", "type", "bridge")
    router.ip("link", "set", "br0", "up")
    assert "no native XDP" in execute(router, "load", "--mode", "native", str(file)).err
    assert promiscuous(router) == [False, False]

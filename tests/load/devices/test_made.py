"""Devices that a router makes: Linux uses them as any other, and nothing is left of them."""

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from tests import commands
from tests.axes import axis
from tests.waiting import eventually

from clickbpf.load.devices import made
from clickbpf.load.devices.devices import SENDER
from clickbpf.load.devices.pair import end_of
from clickbpf.objects.made import MadeDevice
from clickbpf.objects.manifest import Manifest
from clickbpf.testing.netns import Namespace, Network
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer, udp_exchange

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

#: Hosts that are not there, as Linux sees them through the device.
PINGS = """
f :: FromHost(fake0, 192.0.2.1/24, ETHER 2:2:2:2:2:2{more}) -> c :: Classifier(12/0806, 12/0800);
c[0] -> ARPResponder(0/0 1:1:1:1:1:1) -> ToHost(fake0);
c[1] -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> ToHost(fake0);
"""
#: The same without Ethernet, and so without ARP.
POINT = "FromHost(fake0, 192.0.2.1/24, TYPE IP) -> CheckIPHeader -> ICMPPingResponder -> ToHost(fake0, TYPE IP);"
#: Linux on the device is in one network with what is at eth0.
BRIDGE = "FromHost(fake0, 192.0.2.1/24) -> Queue -> ToDevice(eth0); FromDevice(eth0) -> ToHost(fake0);"

#: Compiling and loading, on a busy machine.
PATIENCE = 120.0


class Box:
    """A namespace in which routers are loaded, under a name that no other process uses."""

    def __init__(self, namespace: Namespace):
        self.namespace = namespace
        self.name = f"made-{namespace.name}"

    def load(self, text: str, *words: str, name: str | None = None) -> str:
        """Load a configuration; returns the message if it is refused."""
        done = commands.run(self.namespace, "load", "-n", name or self.name, "-e", text, *words)
        return done.stderr if done.returncode else ""

    def unload(self) -> None:
        commands.run(self.namespace, "unload", self.name)

    def devices(self) -> dict[str, dict]:
        """All but those by which runtimes send."""
        links = json.loads(self.namespace.ip("-j", "-d", "address"))
        return {link["ifname"]: link for link in links if not link["ifname"].startswith(SENDER)}


@pytest.fixture
def box(network: Network) -> Iterator[Box]:
    made_box = Box(network.namespace("box"))
    yield made_box
    made_box.unload()


@pytest.fixture
def bridged(network: Network, box: Box) -> Namespace:
    """A host at the other end of the box's eth0."""
    host = network.namespace("host")
    network.veth(box.namespace, "eth0", host, "eth0")
    host.address("eth0", "192.0.2.2/24")
    return host


HOW = pytest.mark.parametrize("options", axis((), ("--no-kernel",), ("--mode", "generic"), ("--hook", "tc")), ids=" ".join)


@HOW
def test_the_router_answers_what_linux_asks(box, options):
    assert box.load(PINGS.format(more=""), *options) == ""
    assert ping(box.namespace, "192.0.2.9", 3) == 3
    assert ping(box.namespace, "192.0.2.77", size=1472) == 1
    assert "01:01:01:01:01:01" in box.namespace.ip("neighbour", "show", "192.0.2.9")
    box.unload()
    assert set(box.devices()) == {"lo"}


@HOW
def test_bare_ip_needs_no_arp(box, options):
    assert box.load(POINT, *options) == ""
    assert ping(box.namespace, "192.0.2.9", 3) == 3


@HOW
def test_linux_talks_to_a_host_through_the_router(box, bridged, options):
    """With complete checksums, and segments that fit the device."""
    assert box.load(BRIDGE, *options) == ""
    assert ping(box.namespace, "192.0.2.2", 3) == 3
    assert ping(bridged, "192.0.2.1", 3) == 3
    payloads = [bytes([number]) * length for number, length in enumerate((1, 100, 1472))]
    assert udp_exchange(box.namespace, bridged, "192.0.2.2", 5000, payloads) == payloads
    assert udp_exchange(bridged, box.namespace, "192.0.2.1", 5000, payloads) == payloads
    data = os.urandom(300_000)
    assert tcp_transfer(box.namespace, bridged, "192.0.2.2", 5001, data) == data
    assert tcp_transfer(bridged, box.namespace, "192.0.2.1", 5001, data) == data


def test_the_device_is_as_asked_for(box):
    assert box.load(PINGS.format(more=", MTU 1400, GATEWAY 192.0.2.254")) == ""
    device = box.devices()["fake0"]
    (address,) = [a for a in device["addr_info"] if a["family"] == "inet"]
    assert (device["address"], device["mtu"], address["local"], address["prefixlen"]) == ("02:02:02:02:02:02", 1400, "192.0.2.1", 24)
    assert "UP" in device["flags"]
    assert json.loads(box.namespace.ip("-j", "route", "show", "default"))[0]["gateway"] == "192.0.2.254"
    assert ping(box.namespace, "198.51.100.1") == 1, "the default route leads to the router"


def test_the_routers_end_says_nothing(box):
    """With IPv6 on, Linux would announce itself there, and the router's end would be a second host on the device."""
    for which in ("all", "default"):
        box.namespace.sysctl(f"net.ipv6.conf.{which}.disable_ipv6", "0")
    assert box.load("FromHost(fake0, 192.0.2.1/24) -> Discard;") == ""
    with RawPort(box.namespace, "fake0") as port:
        assert port.receive(2.5) is None
    devices = box.devices()
    assert devices["fake0"]["addr_info"], "Linux's own end is a device as any other"
    assert devices["fake0-rt"]["addr_info"] == []


def test_another_name_can_be_given(box):
    assert box.load(PINGS.format(more=""), "fake0=up7") == ""
    assert set(box.devices()) == {"lo", "up7", "up7-rt"}
    assert ping(box.namespace, "192.0.2.9") == 1


def test_it_need_not_be_among_the_devices_given(box, bridged):
    assert box.load(BRIDGE, "eth0") == ""


def test_runs_in_the_foreground(box):
    running = commands.start(box.namespace, "run", "-e", PINGS.format(more=""))
    assert eventually(lambda: "xdp" in box.namespace.ip("link"), PATIENCE)
    assert eventually(lambda: ping(box.namespace, "192.0.2.9", wait=1))
    running.send_signal(signal.SIGINT)
    running.wait(PATIENCE)
    assert set(box.devices()) == {"lo"}


class TestTaken:
    @pytest.mark.parametrize(
        "end, hint", [("other", "FromDevice"), ("fake0-rt", "'ip link delete fake0' if a router that was killed has left it")]
    )
    def test_a_device_that_exists_is_let_alone(self, box, end, hint):
        box.namespace.ip("link", "add", "fake0", "type", "veth", "peer", "name", end)
        said = box.load(PINGS.format(more=""))
        assert "<expression>:2:1: error: there is a network device fake0 already; 'f' makes one of that name" in said and hint in said
        assert set(box.devices()) == {"lo", "fake0", end}

    def test_a_device_of_another_router_is_its_own(self, box):
        assert box.load(PINGS.format(more="")) == ""
        assert f"fake0 is a device of the router {box.name}" in box.load(PINGS.format(more=""), name=f"{box.name}2")
        assert ping(box.namespace, "192.0.2.9") == 1


class TestFailure:
    def test_leaves_no_device(self, box, bridged):
        """Native XDP on br0 is refused when the device is made already and the runtime runs: its driver has none."""
        box.namespace.ip("link", "add", "br0", "type", "bridge")
        box.namespace.ip("link", "set", "br0", "up")
        assert "no native XDP" in box.load(BRIDGE.replace("eth0", "br0"), "--mode", "native")
        assert set(box.devices()) == {"lo", "eth0", "br0"}

    def test_taken_devices_are_found_before_anything_is_made(self, box, bridged):
        assert box.load("FromDevice(eth0) -> Discard;") == ""
        assert f"eth0 is used by the router {box.name}" in box.load(BRIDGE, name=f"{box.name}-2")
        assert set(box.devices()) == {"lo", "eth0"}

    def test_half_set_up_is_taken_away(self, box):
        """Linux has a default route already."""
        box.namespace.ip("route", "add", "default", "dev", "lo")
        assert "the device fake0 can't be set up" in box.load(PINGS.format(more=", GATEWAY 192.0.2.254"))
        assert set(box.devices()) == {"lo"}

    def test_the_first_is_taken_away_when_the_second_fails(self, box):
        box.namespace.ip("link", "add", "g", "type", "veth", "peer", "name", "h")
        assert "device g already" in box.load("FromHost(f) -> Discard; FromHost(g) -> Discard;")
        assert set(box.devices()) == {"lo", "g", "h"}


class TestReplace:
    def test_the_device_stays(self, box):
        assert box.load(PINGS.format(more="")) == ""
        index = box.devices()["fake0"]["ifindex"]
        flood = box.namespace.popen("ping", "-n", "-i", "0.01", "192.0.2.9", stdout=-1, text=True)
        assert box.load(POINT.replace("TYPE IP", "ETHER 2:2:2:2:2:2"), "--replace") != "", "no ToHost for bare IP"
        assert box.load(PINGS.format(more="") + "Idle -> Discard;", "--replace") == ""
        flood.send_signal(signal.SIGINT)
        sent, received = map(int, re.search(r"(\d+) packets transmitted, (\d+) received", flood.communicate(timeout=PATIENCE)[0]).groups())
        assert 0 <= sent - received <= 1, "the last may be on its way"
        assert box.devices()["fake0"]["ifindex"] == index

    def test_it_is_set_up_anew_where_it_changes(self, box):
        assert box.load(PINGS.format(more=", MTU 1400")) == ""
        assert box.load(PINGS.format(more="").replace("192.0.2.1", "198.51.100.1"), "--replace") == ""
        device = box.devices()["fake0"]
        assert device["mtu"] == 1500
        assert [a["local"] for a in device["addr_info"] if a["family"] == "inet"] == ["198.51.100.1"]
        assert ping(box.namespace, "198.51.100.9") == 1

    def test_it_goes_when_the_new_router_has_none(self, box, bridged):
        assert box.load(BRIDGE) == ""
        assert box.load("FromDevice(eth0) -> Discard;", "--replace") == ""
        assert set(box.devices()) == {"lo", "eth0"}

    def test_failure_leaves_the_old_one_as_it_was(self, box, bridged):
        assert box.load(PINGS.format(more="")) == ""
        before = box.devices()
        assert "is down" in self.with_device_down(box, PINGS.format(more=", MTU 1400") + "FromDevice(eth0) -> Discard;")
        box.namespace.ip("link", "add", "g", "type", "veth", "peer", "name", "h")
        assert "device g already" in box.load(PINGS.format(more=", MTU 1400") + "FromHost(g) -> Discard;", "--replace")
        assert box.devices()["fake0"] == before["fake0"]
        assert ping(box.namespace, "192.0.2.9") == 1

    @staticmethod
    def with_device_down(box, text):
        box.namespace.ip("link", "set", "eth0", "down")
        return box.load(text, "--replace")


def test_names_of_the_routers_end_are_short_enough_and_differ():
    for name in ("a", "twelve-chars", "thirteen-char", "fifteen-chars-x"):
        assert len(end_of(name)) <= 15 and end_of(name) != name
    assert end_of("a-long-name-01") != end_of("a-long-name-02")


def test_removing_what_is_gone_or_another_one(box):
    """A device of that name that somebody made since is not the router's."""
    manifest = Manifest(1, "", "1", devices=("f",), made=(MadeDevice("f", "h"),))
    with ExitStack() as undo:
        (pair,) = box.namespace.call(made.make, manifest, {}, (), undo)
        box.namespace.ip("link", "delete", "f")
        box.namespace.call(pair.remove)
        box.namespace.ip("link", "add", "f", "index", "4711", "type", "veth", "peer", "name", "g")
        box.namespace.call(pair.remove)
        assert "f" in box.devices()
        undo.pop_all()

"""SnoopingEtherSwitch between Linux hosts, which report what they listen to when a router asks (MLDv2)."""

import socket
import struct
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from scapy.layers.inet6 import ICMPv6MLQuery2, IPv6, IPv6ExtHdrHopByHop, PadN, RouterAlert
from scapy.layers.l2 import Ether
from tests.configs.conftest import Loaded
from tests.configs.test_live_iprouter6 import has
from tests.waiting import eventually

from clickbpf.observe.snapshot import RUNTIME, Observer
from clickbpf.testing.netns import PATIENCE, Network
from clickbpf.testing.traffic import RawPort

pytestmark = [pytest.mark.needs("root", "ip", "ethtool", "clang-19"), pytest.mark.whole]

GROUP, OTHER, HOSTS = "ff15::1234", "ff15::99", 4
SWITCH = "s :: SnoopingEtherSwitch;" + "".join(
    f"FromDevice(eth{i}, PROMISC true) -> [{i}] s [{i}] -> n{i} :: Counter -> Queue -> ToDevice(eth{i});" for i in range(HOSTS)
)


def address(number):
    return f"fd00::{number + 1:x}"


@contextmanager
def connected(text: str, folder: Path):
    """(hosts, the switch): host i is at port i and has the address fd00::<i + 1>."""
    path = folder / "switch.click"
    path.write_text(text)
    with Network() as network:
        place = network.namespace("switch")
        place.sysctl("net.ipv6.conf.default.disable_ipv6", "1")
        hosts = []
        for number in range(HOSTS):
            host = network.namespace(f"host{number}")
            host.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
            network.veth(place, f"eth{number}", host, "eth0", macs=(f"02:00:00:00:00:{number:x}0", f"02:00:00:00:00:{number:x}2"))
            host.ip("-6", "address", "add", f"{address(number)}/64", "dev", "eth0")
            host.offload("eth0", tx=False, gro=True)
            hosts.append(host)
        router = Loaded(place, path)
        try:
            for number, host in enumerate(hosts):
                assert eventually(partial(has, host, address(number))), host.ip("-6", "address")
            yield hosts, router
        finally:
            router.unload()


@pytest.fixture(scope="module")
def switched(tmp_path_factory):
    with connected(SWITCH, tmp_path_factory.mktemp("switch")) as made:
        yield made


def ask(host, group="::"):
    """A router's query, as RFC 3810, 5.1, has it: answers come within a second."""
    to = "ff02::1" if group == "::" else group
    low = ":".join(f"{byte:02x}" for byte in socket.inet_pton(socket.AF_INET6, to)[12:])
    made = Ether(src="02:00:00:00:00:02", dst=f"33:33:{low}") / IPv6(src="fe80::ff:fe00:2", dst=to, hlim=1)
    made /= IPv6ExtHdrHopByHop(options=[RouterAlert(), PadN(optdata=b"")]) / ICMPv6MLQuery2(mladdr=group, mrd=1000)
    with RawPort(host, "eth0") as wire:
        wire.send(bytes(made))


def index_of(host):
    return int(host.ip("-o", "link", "show", "dev", "eth0").partition(":")[0])


def listening(host, group):
    made = host.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    made.bind(("::", 5000))
    made.settimeout(PATIENCE)
    joined = socket.inet_pton(socket.AF_INET6, group) + struct.pack("=I", index_of(host))
    made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, joined)
    return made


def say(host, group, data):
    with host.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sending:
        sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index_of(host))
        sending.sendto(data, (group, 5000))


def groups(router):
    """{group: ports}"""
    return {line.split()[0]: set(line.split()[1:]) for line in router.read("s.groups").splitlines()}


def heard(port, data):
    return any(data in frame for frame in iter(port.receive, None))


@pytest.mark.whole
def test_linux_hosts_listen_and_leave(switched):
    hosts, router = switched
    with listening(hosts[2], GROUP) as two:
        ask(hosts[0])
        assert eventually(lambda: router.read("s.routers") == "0")
        assert eventually(lambda: groups(router).get(GROUP) == {"2"})
        # Linux reports the groups by which its neighbours ask for its addresses, too (RFC 4861, 7.2.1).
        assert eventually(lambda: groups(router).get("ff02::1:ff00:2") == {"1"}), groups(router)
        with RawPort(hosts[3], "eth0") as three, RawPort(hosts[1], "eth0") as one, RawPort(hosts[0], "eth0") as asker:
            say(hosts[3], GROUP, b"for who listens")
            assert two.recv(100) == b"for who listens"
            assert eventually(lambda: heard(asker, b"for who listens")), "a router has all groups"
            say(hosts[3], OTHER, b"for nobody")
            assert eventually(lambda: heard(one, b"for nobody")), "what nobody has reported is for all"
            with listening(hosts[1], GROUP) as joined:
                assert eventually(lambda: groups(router)[GROUP] == {"1", "2"}), "Linux reports as soon as it listens"
                say(hosts[2], GROUP, b"for one")
                assert joined.recv(100) == b"for one"
            assert not heard(three, b"for one")
        # A host that leaves sends Done; the router asks, and nobody there answers.
        ask(hosts[0], GROUP)
        assert eventually(lambda: groups(router)[GROUP] == {"2"})
    ask(hosts[0], GROUP)
    assert eventually(lambda: GROUP not in groups(router))


@pytest.mark.whole
def test_neighbours_find_each_other(switched):
    """Their solicitations are for groups, which the switch sends where they belong."""
    hosts, router = switched
    ask(hosts[0])
    assert eventually(lambda: all(f"ff02::1:ff00:{number + 1:x}" in groups(router) for number in range(1, HOSTS)))
    for number in range(1, HOSTS):
        hosts[number].ip("-6", "neighbour", "flush", "dev", "eth0")
    with RawPort(hosts[3], "eth0") as three:
        assert "1 received" in hosts[1].run("ping", "-6", "-n", "-c1", f"-W{PATIENCE:.0f}", address(2)).stdout
        solicited = socket.inet_pton(socket.AF_INET6, "ff02::1:ff00:3")
        assert not heard(three, solicited)


def test_streams_are_the_kernels(switched):
    hosts, router = switched
    with listening(hosts[2], GROUP) as two:
        assert eventually(lambda: "2" in groups(router).get(GROUP, ()))
        say(hosts[3], GROUP, b"first")
        assert two.recv(100) == b"first"
        before = by_runtime(router)
        for number in range(100):
            say(hosts[3], GROUP, b"%d" % number)
            assert two.recv(100) == b"%d" % number
        assert by_runtime(router) - before < 50, "neighbour discovery and reports are the runtime's"


def by_runtime(router):
    counts = Observer(router.name).snapshot().counts
    return sum(n.value for n in counts if (n.executor, n.element, n.name) == (RUNTIME, "n2", "count"))

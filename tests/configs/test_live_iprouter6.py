"""configs/iprouter.click between Linux hosts with IPv6, which make their addresses of the router's advertisements (RFC 4862).

2001:db8::ff:fe00:2 ---- eth0 2001:db8::1 . 2001:db8:1::1 eth1 ---- 2001:db8:1::ff:fe00:102
"""

import os
import re
import socket
from contextlib import ExitStack
from functools import partial

import pytest
from scapy.layers.inet import UDP
from scapy.layers.inet6 import (
    ICMPv6ND_RA,
    ICMPv6ND_Redirect,
    ICMPv6NDOptDstLLAddr,
    ICMPv6ParamProblem,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrRouting,
)
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.configs.conftest import Loaded
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually, standing_still

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.testing.netns import PATIENCE, Network
from clickbpf.testing.traffic import RawPort, ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "traceroute", "clang-19")

MACS = ("02:00:00:00:00:10", "02:00:00:00:01:10")
LINKS = ("fe80::ff:fe00:10", "fe80::ff:fe00:110")
HOST_MACS = ("02:00:00:00:00:02", "02:00:00:00:01:02")
ONE, TWO = "2001:db8::ff:fe00:2", "2001:db8:1::ff:fe00:102"


@pytest.fixture
def routed(network, load):
    """routed(MTU1="1280"): the router and its two hosts, which have their addresses."""
    return partial(made, network, load)


@pytest.fixture(scope="module")
def standing():
    """The router as it is loaded by default, for tests that leave it working."""
    with Network() as network, ExitStack() as undo:

        def load(*where, **given):
            router = Loaded(*where, **given)
            undo.callback(router.unload)
            return router

        yield made(network, load)


def made(network, load, options=(), **variables):
    place = network.namespace("router")
    # A router on its links, which forwards nothing.
    for name, value in (("disable_ipv6", "0"), ("accept_dad", "0"), ("forwarding", "1")):
        place.sysctl(f"net.ipv6.conf.default.{name}", value)
    hosts = []
    for side, macs in enumerate(zip(MACS, HOST_MACS)):
        host = network.namespace(f"host{side}")
        host.sysctl("net.ipv6.conf.default.disable_ipv6", "0")
        network.veth(place, f"eth{side}", host, "eth0", macs=macs)
        place.address(f"eth{side}", f"2001:db8:{side}::1/64")
        host.offload("eth0", tx=False, gro=True)
        hosts.append(host)
    router = load(place, CONFIGS / "iprouter.click", options=options, **variables)
    for host, address in zip(hosts, (ONE, TWO)):
        assert eventually(partial(has, host, address)), host.ip("-6", "address", "show", "dev", "eth0")
    return router, *hosts


def has(host, address):
    """Whether the address is the host's, and nobody else has it (RFC 4862, 5.4)."""
    line = re.search(rf"inet6 {address}/64 .*", host.ip("-6", "address", "show", "dev", "eth0"))
    return line and "tentative" not in line[0]


@pytest.mark.parametrize("options", axis((), ("--chain",), ("--no-kernel",)), ids=["fused", "chain", "runtime"])
def test_hosts_reach_each_other(routed, options):
    router, one, two = routed(options)
    # The default router is the one that advertised itself, by its link-local address.
    for host, link in zip((one, two), LINKS):
        assert f"default via {link} dev eth0 proto ra" in host.ip("-6", "route")
    assert ping(one, TWO, 3) == 3
    assert ping(two, ONE, 3) == 3
    assert f"via {LINKS[0]} " in one.ip("-6", "route", "get", TWO)
    # Linux takes the router's advertisements, and the router Linux's.
    assert "lladdr 02:00:00:00:00:10 router" in one.ip("-6", "neighbour", "show", LINKS[0], "dev", "eth0")
    assert f"{ONE} 1 02-00-00-00-00-02" in router.read("nd0.table") and f"{TWO} 1 02-00-00-00-01-02" in router.read("nd1.table")
    # The router's own addresses, those of its links, and none that isn't there.
    for address in ("2001:db8::1", "2001:db8:1::1", "2001:db8::", f"{LINKS[0]}%eth0", "ff02::1%eth0", "ff02::2%eth0"):
        assert ping(one, address, 2) == 2
    assert ping(one, "2001:db8::1", 1, size=3000) == 1
    assert ping(one, f"{LINKS[1]}%eth0", 1, wait=0.3) == 0
    assert ping(one, "2001:db8:1::77", 1, wait=0.3) == 0
    # One hop, and an error for a packet with none left.
    assert ping(one, TWO, 1, options=("-t", "1"), wait=0.3) == 0
    assert ping(one, TWO, 1, options=("-t", "2")) == 1
    for host, gateway, target in ((one, "2001:db8::1", TWO), (two, "2001:db8:1::1", ONE)):
        trace = host.run("traceroute", "-6", "-n", "-q1", "-w1", "-m3", target).stdout
        assert re.findall(r"^ *\d+  (\S+)", trace, re.MULTILINE) == [gateway, target]


def test_both_families_at_once(standing):
    """The same hosts reach each other by IPv4 as well."""
    _, one, two = standing
    for host, mine, gateway in ((one, "10.0.0.2", "10.0.0.1"), (two, "10.0.1.2", "10.0.1.1")):
        host.address("eth0", f"{mine}/24")
        host.route("default", gateway)
    assert (ping(one, "10.0.1.2", 3), ping(one, TWO, 3)) == (3, 3)
    payload = os.urandom(2_000_000)
    for target in ("10.0.1.2", TWO):
        assert tcp_transfer(one, two, target, 5000, payload) == payload


@pytest.mark.whole
def test_the_path_mtu_is_found(routed):
    """What is too big for the second link comes back with its MTU, and Linux sends smaller packets (RFC 8201). The second link's
    hosts learn its MTU from advertisements."""
    _, one, two = routed(MTU1="1280")
    assert eventually(lambda: two.call(read_mtu) == "1280")
    assert ping(one, TWO, 1) == 1

    def found():
        ping(one, TWO, 1, size=1400, wait=0.3)
        return "mtu 1280" in one.ip("-6", "route", "get", TWO)

    assert eventually(found), "Linux has not learnt of the link's MTU"
    assert ping(one, TWO, 3, size=1400) == 3
    payload = os.urandom(1_000_000)
    assert tcp_transfer(one, two, TWO, 5000, payload) == payload


def read_mtu():
    """What Linux uses for IPv6 on eth0."""
    with open("/proc/sys/net/ipv6/conf/eth0/mtu") as file:
        return file.read().strip()


def test_extension_headers_pass(standing):
    """A destination options header in front of UDP."""
    _, one, two = standing
    assert ping(one, TWO, 1) == 1
    with two.socket(socket.AF_INET6, socket.SOCK_DGRAM) as listening, one.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sending:
        listening.bind((TWO, 7))
        listening.settimeout(PATIENCE)
        options = bytes([0, 0, 1, 4, 0, 0, 0, 0])
        sending.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, options)
        sending.sendto(b"after options", (TWO, 7))
        assert listening.recv(100) == b"after options"


def test_no_route_in_a_packet_is_taken(standing):
    """RFC 5095, 3: segments that are left are a problem, at the byte that has the header's type."""
    _, one, _ = standing
    routing = IPv6ExtHdrDestOpt() / IPv6ExtHdrRouting(type=0, addresses=[TWO], segleft=1)
    with RawPort(one, "eth0") as port:
        port.send(bytes(Ether(src=HOST_MACS[0], dst=MACS[0]) / IPv6(src=ONE, dst="2001:db8::1") / routing / UDP()))
        seen = received(port, ICMPv6ParamProblem)
    assert (seen[IPv6].src, seen[ICMPv6ParamProblem].code, seen[ICMPv6ParamProblem].ptr) == ("2001:db8::1", 0, 40 + 8 + 2)


def test_linux_follows_a_redirect(standing):
    """RFC 4861, 8: Linux sends to the router what is for its own link, and learns that it need not, and where the neighbour is (8.3)."""
    router, one, _ = standing
    other, mac = "2001:db8::77", "02:00:00:00:00:77"
    router.write("nd0.insert", f"{other} {mac}")
    one.ip("-6", "route", "add", f"{other}/128", "via", LINKS[0], "dev", "eth0")
    with RawPort(one, "eth0") as port:
        assert ping(one, other, 1, wait=0.3) == 0, "it isn't there"
        seen = received(port, ICMPv6ND_Redirect)
    assert (seen[IPv6].src, seen[IPv6].dst, seen[IPv6].hlim) == (LINKS[0], ONE, 255)
    assert (seen[ICMPv6ND_Redirect].tgt, seen[ICMPv6ND_Redirect].dst) == (other, other)
    assert seen[ICMPv6NDOptDstLLAddr].lladdr == mac
    assert eventually(lambda: f"lladdr {mac}" in one.ip("-6", "neighbour", "show", other, "dev", "eth0"))
    assert eventually(lambda: f"via {LINKS[0]}" not in one.ip("-6", "route", "get", other)), one.ip("-6", "route", "get", other)


def received(port, layer):
    """The first frame that arrives and has the layer."""
    found = eventually(lambda: next((f for f in map(Ether, iter(lambda: port.receive() or b"", b"")) if layer in f), None))
    assert found, f"no {layer.__name__} arrived"
    return found


def test_a_solicitation_is_answered(standing):
    """Who asks need not wait for the next advertisement."""
    router, one, _ = standing
    with RawPort(one, "eth0") as port:
        one.sysctl("net.ipv6.conf.eth0.disable_ipv6", "1")
        assert not has(one, ONE)
        one.sysctl("net.ipv6.conf.eth0.disable_ipv6", "0")
        seen = received(port, ICMPv6ND_RA)
    assert (seen.src, seen[IPv6].src, seen[IPv6].dst, seen[IPv6].hlim) == (MACS[0], LINKS[0], "ff02::1", 255)
    assert eventually(lambda: has(one, ONE))


@pytest.mark.whole
def test_100_megabytes_are_the_kernels(routed):
    """Each way, while the runtime stands still: it isn't needed between neighbours that are known."""
    router, one, two = routed()
    payload = os.urandom(100 << 20)
    assert ping(one, TWO, 1) == 1 and ping(two, ONE, 1) == 1
    # What Linux believes of its neighbour has to last as long: it would ask again, and the runtime answers.
    for host, link, mac in zip((one, two), LINKS, MACS):
        host.neighbour("eth0", link, mac)
    runtime = service.alive(RunFolder.of(router.name))
    with standing_still(runtime):
        assert tcp_transfer(one, two, TWO, 5000, payload) == payload
        assert tcp_transfer(two, one, ONE, 5000, payload) == payload


def test_errors_keep_to_the_rate(standing):
    """RFC 4443, 2.4 f: of 1,000 packets without a hop left, those that the rate of ICMP6Error keeps back are counted, and the others
    come back: none is missing."""
    router, one, _ = standing
    assert ping(one, TWO, 1) == 1
    with RawPort(one, "eth0") as port:
        frame = bytes(Ether(src=HOST_MACS[0], dst=MACS[0]) / IPv6(src=ONE, dst=TWO, hlim=1) / UDP(sport=5, dport=6))
        limited = errors = 0
        for _ in range(1000):
            port.send(frame)

        def settled():
            nonlocal limited, errors
            errors += sum(ICMPv6TimeExceeded in Ether(f) for f in iter(port.receive, None))
            limited = int(router.read("expired1.limited"))
            return errors + limited == 1000

        assert eventually(settled), (errors, limited)
    assert limited > 0


def test_a_host_gets_a_new_ethernet_address(standing):
    """Linux then asks for the router's, and says its own (RFC 4861, 7.2.3): the answer to its first ping arrives."""
    router, one, _ = standing
    assert ping(one, TWO, 1) == 1
    one.ip("link", "set", "eth0", "address", "02:00:00:00:00:99")
    assert ping(one, TWO, 1) == 1
    assert f"{ONE} 1 02-00-00-00-00-99" in router.read("nd0.table")

"""McastSocket: everybody in the group gets what one sends."""

import pytest
from tests.waiting import eventually

pytestmark = pytest.mark.needs("root", "ip", "ping")

MEMBER = (
    'RatedSource("{name} says hi", LIMIT 3, RATE 50, ACTIVE false) {before} -> s :: McastSocket(233.252.0.0, 1234{arguments})'
    " -> own :: Classifier(0/{own}, -) -> mine :: Counter -> Discard; own[1] -> others :: Counter -> Discard;"
)


def member(name: str, arguments: str = "", before: str = "") -> str:
    return MEMBER.format(name=name, own=name.encode().hex(), arguments=arguments, before=before)


@pytest.fixture
def host(network):
    """A machine with a network, which multicast goes to where nothing else is said."""
    made, other = network.namespace("host"), network.namespace("other")
    network.veth(made, "eth0", other, "eth0")
    made.address("eth0", "10.9.0.1/24")
    made.ip("route", "add", "224.0.0.0/4", "dev", "eth0")
    return made


@pytest.mark.parametrize(
    "arguments, before, mine, others",
    [
        (", 127.0.0.1", "", 0, 3),
        (", 127.0.0.1", "-> Queue", 0, 3),
        (", LOOP true", "", 3, 3),
        (", LOOP false", "", 0, 0),
    ],
)
def test_who_gets_what(running, host, becomes, arguments, before, mine, others):
    routers = [running(member(name, arguments, before), host) for name in "AB"]
    for router in routers:
        router.handlers.write("RatedSource@1", "active", "true")
    for router in routers:
        becomes(router, "RatedSource@1.count", "3")
        becomes(router, "mine.count", str(mine))
        becomes(router, "others.count", str(others))
        assert router.drops("s") == {}


def test_a_virtual_ethernet(running, network):
    """The example of the manual page answers pings of a router on another machine."""
    hosts = [network.namespace(name) for name in ("left", "right")]
    network.veth(hosts[0], "eth0", hosts[1], "eth0")
    for host, address in zip(hosts, ("10.9.0.1", "10.9.0.2")):
        host.address("eth0", f"{address}/24")
        host.ip("route", "add", "224.0.0.0/4", "dev", "eth0")
    station = (
        "link :: McastSocket(239.0.0.0, 1234, {source}) -> HostEtherFilter({mac}) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002,"
        " 12/0800); q :: ARPQuerier({ip}, {mac}) -> Queue -> link; c[0] -> ARPResponder({ip} {mac}) -> Queue -> link2 ::"
        " McastSocket(239.0.0.0, 1234, {source}); c[1] -> [1]q; c[2] -> Strip(14) -> CheckIPHeader -> {use}"
    )
    running(station.format(source="10.9.0.1", mac="2:0:0:0:0:1", ip="10.0.0.1", use="ICMPPingResponder -> [0]q;"), hosts[0])
    ping = "p :: ICMPPingSource(10.0.0.2, 10.0.0.1, INTERVAL 0.05, LIMIT 3, VERBOSE false) -> [0]q;"
    asking = running(station.format(source="10.9.0.2", mac="2:0:0:0:0:2", ip="10.0.0.2", use=ping), hosts[1])
    eventually(lambda: "3 received" in asking.handlers.read("p", "summary"))
    assert "3 received" in asking.handlers.read("p", "summary")

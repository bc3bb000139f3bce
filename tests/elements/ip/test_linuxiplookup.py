"""LinuxIPLookup: routes as Linux has them."""

from ipaddress import IPv4Address

import pytest
from scapy.layers.inet import IP, UDP

from clickbpf.args.devices import Devices, LinuxRoute
from clickbpf.args.values import Prefix
from clickbpf.compile import Compilation, check_text
from clickbpf.runtime.host import Runtime
from clickbpf.vocabulary.library import Library

#: What a Linux host might have.
ROUTES = {"10.0.0.0/24": ("", "eth0"), "10.1.0.0/16": ("10.0.0.9", "eth0"), "10.1.2.0/24": ("", "eth1"), "0.0.0.0/0": ("192.0.2.1", "eth1")}


def linux_route(prefix: str, gateway: str, device: str) -> LinuxRoute:
    address, length = prefix.split("/")
    return LinuxRoute(Prefix.of_length(IPv4Address(address), int(length)), IPv4Address(gateway) if gateway else None, device)


@pytest.fixture
def linux(monkeypatch):
    """linux(routes) are Linux's routes from now on."""

    def has(routes: dict[str, tuple[str, str]]) -> None:
        monkeypatch.setattr(Devices, "routes", lambda _: [linux_route(prefix, *way) for prefix, way in routes.items()])

    return has


def packet(destination: str) -> IP:
    return IP(src="10.0.0.2", dst=destination) / UDP()


@pytest.mark.parametrize(
    "destination, output, hop",
    [
        ("10.0.0.5", 0, "10.0.0.5"),
        ("10.1.7.7", 0, "10.0.0.9"),
        ("10.1.2.7", 1, "10.1.2.7"),
        ("8.8.8.8", 1, "192.0.2.1"),
    ],
)
def test_packets_go_where_linux_would_send_them(element, linux, destination, output, hop):
    linux(ROUTES)
    x = element("LinuxIPLookup(eth0, eth1)", noutputs=2, headers="ip-checked")
    x.send(packet(destination))
    x.expect(output, packet(destination), DST_IP=int(IPv4Address(hop)))


def test_packets_without_a_route(element, linux):
    """Routes to devices without an output don't count."""
    linux({"10.0.0.0/8": ("", "eth0"), "192.0.2.0/24": ("", "eth7")})
    x = element("LinuxIPLookup(eth0)", noutputs=2, headers="ip-checked")
    x.send(packet("192.0.2.1"))
    x.expect(1, packet("192.0.2.1"), DST_IP=int(IPv4Address("192.0.2.1")))
    x.close()
    x = element("LinuxIPLookup(eth0)", headers="ip-checked")
    x.send(packet("192.0.2.1"))
    x.expect_nothing()
    assert x.dropped("NO_ROUTE") == 1


def test_routes_to_other_devices_are_mentioned(linux):
    linux(ROUTES)
    checked = check_text("Idle -> x :: LinuxIPLookup(eth1) -> Discard; x[1] -> Discard;", Library.standard())
    assert [warning.message for warning in checked.warnings] == ["LinuxIPLookup: no output for dev eth0"]


@pytest.mark.needs("root", "ip")
def test_linux_is_asked(network):
    """The main table's best routes: of a metric, of several ways the first, and none that forbids."""
    host, other = network.namespace("host"), network.namespace("other")
    for number in (0, 1):
        network.veth(host, f"eth{number}", other, f"eth{number}")
        host.ip("address", "add", f"10.0.{number}.1/24", "dev", f"eth{number}")
    for route in (
        ("default", "via", "10.0.1.9"),
        ("10.7.0.0/16", "via", "10.0.0.8", "metric", "20"),
        ("10.7.0.0/16", "via", "10.0.1.8", "metric", "10"),
        ("10.8.0.0/16", "nexthop", "via", "10.0.0.7", "nexthop", "via", "10.0.1.7"),
        ("10.9.0.0/16", "dev", "eth0", "table", "7"),
    ):
        host.ip("route", "add", *route)
    host.ip("route", "add", "unreachable", "10.10.0.0/16")
    text = "Idle -> x :: LinuxIPLookup(eth0, out) -> Discard; x[1] -> Queue -> ToDevice(out);"
    checked = host.call(lambda: check_text(text, Library.standard(), devices={"out": "eth1"}))
    with Runtime(Compilation(checked)) as runtime:
        rows = [line.split() for line in runtime.handlers.read("x", "table").splitlines()]
    assert sorted(rows) == [
        ["0.0.0.0/0", "10.0.1.9", "1"],
        ["10.0.0.0/24", "-", "0"],
        ["10.0.1.0/24", "-", "1"],
        ["10.7.0.0/16", "10.0.1.8", "1"],
        ["10.8.0.0/16", "10.0.0.7", "0"],
    ]


def test_the_table_can_change(element, linux):
    linux(ROUTES)
    x = element("LinuxIPLookup(eth0, eth1)", noutputs=2, headers="ip-checked")
    x.write("set", "10.1.2.0/24 10.0.0.3 0")
    x.send(packet("10.1.2.7"))
    x.expect(0, packet("10.1.2.7"), DST_IP=0x0A000003)


def test_mistakes(refused, linux):
    linux(ROUTES)
    assert "need 2 or 3 output ports" in refused("LinuxIPLookup(eth0, eth1)", outputs=1)
    assert "CAPACITY" in refused("LinuxIPLookup(eth0, eth1, CAPACITY 3)", outputs=2)

"""KernelTun and KernelTap: Linux's own stack pings and talks through the router."""

import json
import socket

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "ip", "ping")

TUN = "tun :: KernelTun(192.0.2.1/24{}) -> c :: IPClassifier(icmp type echo, -) -> ICMPPingResponder {} -> tun; c[1] -> Discard;"
TAP = (
    "tap :: KernelTap(192.0.2.1/24, ETHER 2:2:2:2:2:2) -> c :: Classifier(12/0806, 12/0800);"
    "c[0] -> ARPResponder(0/0 1:1:1:1:1:1) -> tap;"
    "c[1] -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2) -> tap;"
)


@pytest.fixture
def host(network):
    return network.namespace("host")


@pytest.mark.parametrize(
    "configuration",
    [TUN.format("", ""), TUN.format(", BURST 8", "-> Queue"), TUN.format("", "-> EtherEncap(0x0800, 1:1:1:1:1:1, 2:2:2:2:2:2)"), TAP],
    ids=["pushed", "pulled", "after an Ethernet header", "tap"],
)
def test_ping(running, host, configuration):
    r = running(configuration, host)
    assert ping(host, "192.0.2.7", 3) == 3
    name = next(iter(r.instances))
    assert int(r.handlers.read(name, "packets")) >= 3
    assert int(r.handlers.read(name, "selected_calls")) >= 1


def test_the_device(running, host):
    r = running("t :: KernelTun(192.0.2.1/25, 192.0.2.3, DEVNAME mytun, MTU 1000) -> Discard;", host)
    assert r.handlers.read("t", "dev_name") == "mytun"
    (link,) = json.loads(host.ip("-j", "address", "show", "mytun"))
    assert (link["mtu"], link["addr_info"][0]["local"], link["addr_info"][0]["prefixlen"]) == (1000, "192.0.2.1", 25)
    assert "default via 192.0.2.3 dev mytun" in host.ip("route")
    r.close()
    assert "mytun" not in host.ip("link")


def test_tcp_between_linux_and_linux(running, network):
    """Two hosts, each behind the tun of a router, joined by UDP."""
    hosts = [network.namespace(name) for name in ("left", "right")]
    network.veth(hosts[0], "eth0", hosts[1], "eth0")
    for number, host in enumerate(hosts, 1):
        host.address("eth0", f"10.9.0.{number}/24")
    for number, host in enumerate(hosts, 1):
        other = 3 - number
        running(
            f"t :: KernelTun(192.0.2.{number}/24, MTU 1400) -> Socket(UDP, 10.9.0.{other}, 7000, 10.9.0.{number}, 7000, CLIENT true)"
            " -> MarkIPHeader -> t;",
            host,
        )
    server = hosts[0].call(lambda: socket.create_server(("192.0.2.1", 80)))
    client = hosts[1].call(lambda: socket.create_connection(("192.0.2.1", 80), 5))
    peer, _ = server.accept()
    data = bytes(range(256)) * 400
    client.sendall(data)
    client.shutdown(socket.SHUT_WR)
    received = b""
    while chunk := peer.recv(1 << 16):
        received += chunk
    assert received == data
    for opened in (server, client, peer):
        opened.close()


@pytest.mark.parametrize(
    "before, said",
    [
        ("", "no network header"),
        ("UDPIPEncap(1.0.0.1, 1, 192.0.2.1, 2) -> StoreData(0, \\<55>) ->", "unknown IP version"),
        ("UDPIPEncap(1.0.0.1, 1, 192.0.2.1, 2) ->", "packet larger than MTU"),
    ],
)
def test_wrong_packets(running, host, becomes, capfd, before, said):
    r = running(f"RatedSource(LENGTH 100, LIMIT 1) -> {before} t :: KernelTun(192.0.2.1/24, DEVNAME tun7, MTU 100) -> Discard;", host)
    becomes(r, "t.drops", "1")
    assert f"KernelTun(tun7): {said}" in capfd.readouterr().err


def test_mistakes(refused_router, running, host):
    for arguments, said in (
        ("192.0.2.1/24, 1.2.3.4", "bad GATEWAY"),
        ("192.0.2.1/24, DEVNAME muchtoolonganame", "too long"),
    ):
        assert said in refused_router(f"KernelTun({arguments}) -> Discard;")
    with pytest.raises(ClickError, match="busy|Invalid"):
        running("KernelTun(192.0.2.1/24, DEVNAME lo) -> Discard;", host)

"""configs/healthcheck.click, syncookies.click and synproxy.click in the kernel, tcpecho.click and tcpload.click, against Linux's TCP."""

import hashlib
import http.client
import json
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import monotonic

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.bench.bed import GENERATOR, LIVE_FRAMES
from tests.bench.swaps import refused
from tests.configs.conftest import WAYS
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

from clickbpf.build.bpf import build_program
from clickbpf.load.kernel.objects import Object
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")


@pytest.mark.whole
@pytest.mark.parametrize("options", axis(*WAYS), ids=lambda way: "-".join(way) or "native")
def test_health_checks(network, load, options):
    """Many at once, all answered in the kernel on XDP; Linux's own server at another port is still there."""
    place, host = network.namespace("router"), network.namespace("host")
    network.veth(place, "eth0", host, "eth0")
    place.address("eth0", "10.0.0.1/24")
    host.address("eth0", "10.0.0.2/24")
    router = load(place, CONFIGS / "healthcheck.click", options=options)

    def ask(method: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("10.0.0.1", 8080, timeout=60)
        connection.sock = host.call(lambda: socket.create_connection(("10.0.0.1", 8080), 60))
        connection.request(method, "/health")
        answer = connection.getresponse()
        return answer.status, answer.read()

    assert ask("HEAD") == (200, b"")
    before = router.by_runtime()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, ["GET"] * 40)) == {(200, b"alive\n")}
    # On TC the runtime answers: moving a packet's start there takes more than a program can do.
    assert router.by_runtime() == before or "tc" in options
    assert int(router.read("health.count")) >= 3 * 41
    server = place.call(lambda: socket.create_server(("10.0.0.1", 80)))
    with host.call(lambda: socket.create_connection(("10.0.0.1", 80), 60)), server:
        pass


def test_an_echo_server(network, load):
    host = network.namespace("host")
    router = load(host, CONFIGS / "tcpecho.click")
    with host.call(lambda: socket.create_connection(("192.0.2.9", 7), 60)) as opened:
        opened.sendall(b"echo")
        assert opened.recv(10) == b"echo"
        assert "192.0.2.9 7 192.0.2.1" in router.read("tcp.table")


def test_a_load_generator(network, load):
    host = network.namespace("host")
    server = host.call(lambda: socket.create_server(("0.0.0.0", 7), backlog=50))
    router = load(host, CONFIGS / "tcpload.click", RATE="1000", COUNT="20", LENGTH="5000")
    server.settimeout(60)
    for _ in range(20):
        peer, _ = server.accept()
        with peer:
            peer.settimeout(60)
            with peer.makefile("rb") as stream:
                data = stream.read()
            assert data == bytes(i % 251 for i in range(5000))
    server.close()
    assert eventually(lambda: router.read("source.over") == "20")


@pytest.mark.parametrize("options", axis(*WAYS), ids=lambda way: "-".join(way) or "native")
def test_a_flood_of_syns(network, load, options):
    """They are answered, and a server in their midst serves on: none of them is a connection."""
    place, host = network.namespace("router"), network.namespace("host")
    network.veth(place, "eth0", host, "eth0")
    host.address("eth0", "10.0.0.2/24")
    router = load(place, CONFIGS / "syncookies.click", options=options)
    flood = RawPort(host, "eth0")
    front = Ether(dst="02:00:00:00:00:10", src=host.mac("eth0"))
    syns = [bytes(front / IP(src=f"10.0.0.{n}", dst="10.0.0.1") / TCP(sport=999, dport=7, options=[("MSS", 1460)])) for n in range(3, 203)]
    with host.call(lambda: socket.create_connection(("10.0.0.1", 7), 60)) as opened:
        for _ in range(20):
            for syn in syns:
                flood.send(syn)
            opened.sendall(b"still there")
            assert opened.recv(100) == b"still there"
        with host.call(lambda: socket.create_connection(("10.0.0.1", 7), 60)) as another:
            another.sendall(b"x")
            assert another.recv(1) == b"x"
        assert eventually(lambda: int(router.read("flooded.count")) > 2000)
        assert set(row.split()[3] for row in router.read("tcp.table").splitlines()) == {"10.0.0.2"}
    flood.close()


def sends(host: Namespace, syn: bytes, number: int) -> None:
    """So many of a frame of 64 bytes, as fast as the kernel makes them."""
    with Object(build_program(GENERATOR).read_bytes(), "syns") as program:
        program.set_variable("frame", syn)
        program.set_variable("ifindex", host.ifindex("eth0"))
        program.load()
        host.call(lambda: program.program("generate").test_run(syn, repeat=number, flags=LIVE_FRAMES, batch_size=64))


@pytest.mark.whole
def test_a_million_syns(network, load):
    """At the rate of a generator in the kernel: each is answered, or refused by the device; the runtime hears of none, and serves on."""
    number = 1_000_000
    place, host = network.namespace("router"), network.namespace("host")
    network.veth(place, "eth0", host, "eth0")
    host.address("eth0", "10.0.0.2/24")
    router = load(place, CONFIGS / "syncookies.click")
    front = Ether(dst="02:00:00:00:00:10", src=host.mac("eth0"))
    syn = bytes(front / IP(src="10.0.0.3", dst="10.0.0.1") / TCP(sport=999, dport=7, options=[("MSS", 1460)])).ljust(64, b"\0")
    before, echoes = refused((host, "eth0")), 0
    with host.call(lambda: socket.create_connection(("10.0.0.1", 7), 60)) as opened, ThreadPoolExecutor() as pool:
        flood = pool.submit(sends, host, syn, number)
        while not flood.done():
            opened.sendall(b"still there")
            assert opened.recv(100) == b"still there"
            echoes += 1
        flood.result()
    assert echoes > 0
    answered = 1 + number - (refused((host, "eth0")) - before)
    assert eventually(lambda: int(router.read("flooded.count")) == answered)
    assert answered > number // 10
    assert int(router.read("tcp.accepted")) == 1


class Wire:
    """configs/synproxy.click between a client and a server, in one network."""

    def __init__(self, network, load, options=(), configuration=CONFIGS / "synproxy.click"):
        self.network, self.place, self.client, self.server = network, *(network.namespace(name) for name in ("wire", "client", "server"))
        for number, host in enumerate((self.client, self.server)):
            network.veth(self.place, f"eth{number}", host, "eth0")
            host.sysctl("net.ipv6.conf.eth0.disable_ipv6", "0")
            host.address("eth0", f"10.0.0.{number + 2}/24")
            host.ip("-6", "address", "add", f"fd00::{number + 2}/64", "dev", "eth0", "nodad")
        self.load = lambda *more: load(self.place, configuration, options=(*options, *more), PORTS="7, 8")
        self.router = self.load()
        self.port = self.server.call(lambda: socket.create_server(("", 7), family=socket.AF_INET6, dualstack_ipv6=True, backlog=100))
        self.port.settimeout(60)

    def connect(self, port: int = 7, server: str = "10.0.0.3") -> socket.socket:
        return self.client.call(lambda: socket.create_connection((server, port), 60))

    def accept(self) -> socket.socket:
        accepted, _ = self.port.accept()
        accepted.settimeout(60)
        return accepted


@pytest.mark.parametrize("options", axis(*WAYS), ids=lambda way: "-".join(way) or "native")
def test_a_syn_proxy(network, load, options):
    """By either IP, whoever speaks first, both ways a megabyte, half-closed, after a flood; a port where nobody listens refuses."""
    wire = Wire(network, load, options)
    flood = RawPort(wire.client, "eth0")
    front = Ether(dst=wire.server.mac("eth0"), src=wire.client.mac("eth0"))
    for number in range(1000):
        flood.send(bytes(front / IP(src=f"10.0.{number // 250}.{number % 250}", dst="10.0.0.3") / TCP(sport=9, dport=7, seq=number)))
    flood.close()
    data = hashlib.shake_128(b"proxied").digest(1 << 20)
    for server in ("10.0.0.3", "fd00::3"):
        with wire.connect(server=server) as one, wire.accept() as other:
            other.sendall(b"banner")
            assert one.recv(100) == b"banner"
            for sender, receiver in ((one, other), (other, one)):
                with ThreadPoolExecutor() as pool:
                    sent = pool.submit(lambda sender=sender: (sender.sendall(data), sender.shutdown(socket.SHUT_WR)))
                    assert receiver.makefile("rb").read() == data
                    sent.result()
        with pytest.raises(ConnectionResetError), wire.connect(8, server) as refused:
            refused.recv(1)
    assert [wire.router.read(f"proxy.{name}") for name in ("opened", "evicted")] == ["2", "0"]
    assert int(wire.router.read("proxy.answered")) > 900
    wire.port.close()


@pytest.mark.whole
def test_a_proxied_connection_fills_a_long_path(network, load, tmp_path):
    """Of 100 ms there and back: with windows of 64 KB, 4 MB would take more than six seconds."""
    slow = (CONFIGS / "synproxy.click").read_text().replace("Queue(1000)", "Queue(20000) -> DelayUnqueue(0.05) -> Queue(20000)")
    (tmp_path / "slow.click").write_text(slow)
    wire, data = Wire(network, load, configuration=tmp_path / "slow.click"), bytes(4 << 20)
    with wire.connect() as one, wire.accept() as other, ThreadPoolExecutor() as pool:
        for sender, receiver in ((one, other), (other, one)):
            began = monotonic()
            sent = pool.submit(lambda sender=sender: (sender.sendall(data), sender.shutdown(socket.SHUT_WR)))
            assert receiver.makefile("rb").read() == data
            assert monotonic() - began < 5
            sent.result()
    wire.port.close()


def test_servers_behind_a_proxy_find_the_mtu(network, load):
    """Of a client's link, behind a router whose error quotes the number that the client knows."""
    wire, far = Wire(network, load), network.namespace("far")
    network.veth(wire.client, "eth1", far, "eth0")
    for host, device, end in ((wire.client, "eth1", 1), (far, "eth0", 2)):
        host.sysctl(f"net.ipv6.conf.{device}.disable_ipv6", "0")
        host.address(device, f"10.1.0.{end}/24")
        host.ip("-6", "address", "add", f"fd01::{end}/64", "dev", device, "nodad")
    for name in ("ipv4.ip_forward", "ipv6.conf.all.forwarding"):
        wire.client.sysctl(f"net.{name}", "1")
    wire.client.ip("link", "set", "eth1", "mtu", "1300")
    for host, networks, gateways in ((far, ("10.0.0.0/24", "fd00::/64"), ("10.1.0.1", "fd01::1")),
                                     (wire.server, ("10.1.0.0/24", "fd01::/64"), ("10.0.0.2", "fd00::2"))):  # fmt: skip
        for to, gateway in zip(networks, gateways):
            host.ip("route", "add", to, "via", gateway)
    data = bytes(200_000)
    for server, client in (("10.0.0.3", "10.1.0.2"), ("fd00::3", "fd01::2")):
        with far.call(socket.create_connection, (server, 7), 60) as one, wire.accept() as other:
            one.settimeout(20)
            other.settimeout(20)
            other.sendall(data)
            other.shutdown(socket.SHUT_WR)
            assert one.makefile("rb").read() == data
        assert "mtu 1300" in wire.server.ip("route", "get", client)
    wire.port.close()


@pytest.mark.whole
def test_a_million_syns_to_a_proxy(network, load):
    """None of them reaches the server, whose clients go on, and new ones come."""
    wire, number = Wire(network, load), 1_000_000
    front = Ether(dst=wire.server.mac("eth0"), src=wire.client.mac("eth0"))
    syn = bytes(front / IP(src="10.0.0.9", dst="10.0.0.3") / TCP(sport=999, dport=7)).ljust(64, b"\0")
    before, echoes = refused((wire.client, "eth0")), 0
    with wire.connect() as one, wire.accept() as other, ThreadPoolExecutor() as pool:
        flood = pool.submit(sends, wire.client, syn, number)
        while not flood.done():
            one.sendall(b"still there")
            assert other.recv(100) == b"still there"
            echoes += 1
        flood.result()
        with wire.connect() as another, wire.accept():
            another.sendall(b"x")
    assert echoes > 0
    answered = 2 + number - (refused((wire.client, "eth0")) - before)
    assert eventually(lambda: int(wire.router.read("proxy.answered")) == answered)
    assert answered > number // 10
    assert wire.router.read("proxy.accepted") == "2"
    wire.port.close()


@pytest.mark.whole
def test_proxied_connections_outlive_routers(network, load):
    """Data flow through swaps to tables of other sizes, and without a runtime; a connection that begins meanwhile is accepted later."""
    wire = Wire(network, load)
    piece, stopped = hashlib.shake_128(b"proxied").digest(1 << 20), Event()
    name, path = wire.router.name, CONFIGS / "synproxy.click"
    with wire.connect() as one, wire.accept() as other, ThreadPoolExecutor() as pool:

        def flow() -> str:
            data = hashlib.sha256()
            while not stopped.is_set():
                one.sendall(piece)
                data.update(piece)
            one.shutdown(socket.SHUT_WR)
            return data.hexdigest()

        def arrive() -> tuple[int, str]:
            found, length = hashlib.sha256(), 0
            while part := other.recv(1 << 16):
                found.update(part)
                length += len(part)
            return length, found.hexdigest()

        sent, arrived = pool.submit(flow), pool.submit(arrive)
        try:
            smaller = path.read_text().replace("SYNProxy($PORTS)", "SYNProxy($PORTS, CAPACITY 100)")
            for _ in range(2):
                wire.router.clickbpf("load", "--replace", "-n", name, "-e", smaller, "PORTS=7, 8")
                wire.router.clickbpf("load", "--replace", "-n", name, str(path), "PORTS=7, 8")
            (listed,) = (each for each in json.loads(wire.router.clickbpf("list", "--json")) if each["name"] == name)
            os.kill(listed["runtime"], signal.SIGKILL)
            assert eventually(lambda: not os.path.exists(f"/proc/{listed['runtime']}"))
            with wire.connect() as early:  # it has the kernel's answer, and no server yet
                wire.router.clickbpf("load", "--resume", "-n", name, str(path), "PORTS=7, 8")
                early.sendall(b"x")
                with wire.accept() as late:
                    assert late.recv(1) == b"x"
        finally:
            stopped.set()
        length, digest = arrived.result()
        assert digest == sent.result()
        assert length > 0
        other.sendall(b"and back")
        assert one.recv(100) == b"and back"
    wire.port.close()


@pytest.mark.whole
def test_connections_outlive_routers(network, load):
    """Hot swaps to other extensions and back, while data flow by one connection and another waits. Connections of a runtime that was killed
    get a reset when they say something (RFC 9293, 3.5.1), and new ones begin."""
    host = network.namespace("host")
    router = load(host, CONFIGS / "tcpecho.click")
    data = hashlib.shake_128(b"tcp").digest(1 << 20)
    stopped, echoed = Event(), hashlib.sha256()

    def connect() -> socket.socket:
        return host.call(lambda: socket.create_connection(("192.0.2.9", 7), 60))

    def goes_on() -> bool:
        before = int(router.read("tcp.received"))
        return eventually(lambda: int(router.read("tcp.received")) > before + len(data))

    def flow(opened: socket.socket) -> int:
        rounds = 0
        while not stopped.is_set() or not rounds:
            opened.sendall(data)
            rounds += 1
        opened.shutdown(socket.SHUT_WR)
        return rounds

    def come_back(opened: socket.socket) -> None:
        while part := opened.recv(1 << 16):
            echoed.update(part)

    with connect() as flowing, connect() as waiting, ThreadPoolExecutor() as pool:
        waiting.sendall(b"x")
        assert waiting.recv(1) == b"x"
        back, forth = pool.submit(come_back, flowing), pool.submit(flow, flowing)
        try:
            for extensions in ("slowstart timestamps", "delayack slowstart cubic fastrecovery sack sackrecovery windowscale timestamps"):
                assert goes_on()
                router.clickbpf("load", "--replace", "-n", router.name, str(CONFIGS / "tcpecho.click"), f"EXTENSIONS={extensions}")
        finally:
            stopped.set()
        rounds = forth.result()
        back.result()
        assert echoed.hexdigest() == hashlib.sha256(data * rounds).hexdigest()
        waiting.sendall(b"y")
        assert waiting.recv(1) == b"y"
        (listed,) = (each for each in json.loads(router.clickbpf("list", "--json")) if each["name"] == router.name)
        os.kill(listed["runtime"], signal.SIGKILL)
        assert eventually(lambda: not os.path.exists(f"/proc/{listed['runtime']}"))
        router.clickbpf("load", "--resume", "-n", router.name, str(CONFIGS / "tcpecho.click"))
        with pytest.raises(ConnectionResetError):
            waiting.sendall(b"z")
            waiting.recv(1)
    with connect() as another:
        another.sendall(b"x")
        assert another.recv(1) == b"x"

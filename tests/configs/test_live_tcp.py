"""configs/healthcheck.click and syncookies.click in the kernel, tcpecho.click and tcpload.click, against Linux's TCP."""

import hashlib
import http.client
import json
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event

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
        program.set_variable("ifindex", host.ifindex("eth0").to_bytes(4, "little"))
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

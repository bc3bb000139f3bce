"""TCP against Linux's, in both roles, by good and by bad roads."""

import hashlib
import itertools
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.elements.tcp.line import BAD_ROADS, LINUX, LINUX6, ROUTER, ROUTER6, line
from tests.waiting import eventually

from clickbpf.runtime.host import Runtime
from clickbpf.testing.netns import Namespace

pytestmark = pytest.mark.needs("root", "ip")

FOUR = ("delayack", "slowstart", "fastrecovery", "headerprediction")
OTHERS = ("windowscale", "timestamps", "sack", "sackrecovery", "cubic")
SUBSETS = [" ".join(names) for n in range(5) for names in itertools.combinations(FOUR, n)]
PAIRS = [" ".join((*FOUR, *pair)) for pair in itertools.combinations(OTHERS, 2)]
SELECTIVE = "timestamps windowscale slowstart cubic fastrecovery sack sackrecovery"
MB = 1 << 20
#: Bytes that go there and back with each subset of the four, and the four with each pair of the others. $CLICKBPF_STREAM=100000000 takes a
#: quarter of an hour for all.
STREAM = int(os.environ.get("CLICKBPF_STREAM", MB))
APPLICATIONS = "c :: IPClassifier(dst tcp port 7, -) -> TCPEcho(tcp)"


@pytest.fixture
def host(network) -> Namespace:
    return network.namespace("host")


@pytest.fixture
def echo(running, host):
    """echo("EXTENSIONS delayack", loss=0.01) is a router behind a tun that echoes at port 7, discards at 9, and refuses others."""

    def start(arguments: str = "", loss: float = 0.0) -> Runtime:
        bad = (f"Bad({loss}, {loss}) -> ", f" -> Bad({loss}, {loss})") if loss else ("", "")
        router = running(
            f"{BAD_ROADS if loss else ''} tcp :: TCPConnections(1000, {arguments or 'NODELAY false'});"
            f"tun :: KernelTun({LINUX}/24, DEVNAME tcp0) -> {bad[0]}{line(', 7, 9', APPLICATIONS)}{bad[1]} -> tun;"
            " c[1] -> TCPDiscard(tcp);",
            host,
        )
        if loss:
            # The road is short: Linux needn't wait for 200 ms before it sends again.
            host.ip("route", "replace", "192.0.2.0/24", "dev", "tcp0", "rto_min", "10ms")
        return router

    return start


def connect(host: Namespace, port: int = 7, to: str = ROUTER) -> socket.socket:
    opened = host.call(lambda: socket.create_connection((to, port), 60))
    opened.settimeout(120)
    return opened


def received(opened: socket.socket) -> bytes:
    """All that comes until the end of the stream."""
    parts = []
    while part := opened.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def comes_back(host: Namespace, size: int) -> None:
    """A stream of this size returns unchanged, and the connection ends."""
    data = hashlib.shake_128(str(size).encode()).digest(size)
    with connect(host) as opened, ThreadPoolExecutor() as pool:
        answer = pool.submit(received, opened)
        opened.sendall(data)
        opened.shutdown(socket.SHUT_WR)
        assert hashlib.sha256(answer.result()).digest() == hashlib.sha256(data).digest()


def read(router: Runtime, name: str) -> str:
    return router.handlers.read("tcp", name)


def test_a_stream_and_its_end(echo, host):
    router = echo()
    comes_back(host, 2 * MB)
    assert eventually(lambda: read(router, "table") == "")
    assert (read(router, "accepted"), read(router, "ended"), read(router, "aborted")) == ("1", "1", "0")
    with pytest.raises(ConnectionRefusedError):
        connect(host, 8)


def test_half_closed_reset_and_unread(echo, host):
    """A side that sends no more still receives; one that resets is forgotten; one that doesn't read stops the echo, and no more."""
    router = echo()
    with connect(host) as opened:
        opened.sendall(b"last words")
        opened.shutdown(socket.SHUT_WR)
        assert received(opened) == b"last words"
    with connect(host) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, (1).to_bytes(4, "little") + bytes(4))
    assert eventually(lambda: read(router, "resets") == "1")
    with connect(host) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.setblocking(False)
        sent = 0
        with pytest.raises(BlockingIOError):
            while True:
                sent += opened.send(bytes(1000))
        opened.settimeout(60)
        comes_back(host, 10000)
        opened.shutdown(socket.SHUT_WR)
        assert received(opened) == bytes(sent)
    assert eventually(lambda: read(router, "table") == "")


def test_what_is_discarded(echo, host):
    router = echo("EXTENSIONS windowscale timestamps delayack, BUFFER 262144")
    with connect(host, 9) as opened:
        opened.sendall(bytes(4 * MB))
        opened.shutdown(socket.SHUT_WR)
        assert received(opened) == b""
    assert eventually(lambda: read(router, "table") == "")
    assert read(router, "received") == str(4 * MB)


def test_linux_is_the_server(running, host):
    """Five connections, three at a time, with what Linux sends back discarded; both sides close at once in one of them."""
    server = host.call(lambda: socket.create_server(("0.0.0.0", 7)))
    router = running(
        f"tcp :: TCPConnections(100); source :: TCPSource(tcp, {ROUTER}, {LINUX}, 7, RATE 100, LENGTH 300000, CONNECTIONS 3, LIMIT 5)"
        f" -> TCPOutput(tcp) -> tun :: KernelTun({LINUX}/24) -> {line('', 'source', '').removesuffix(' -> ')};",
        host,
    )
    expected = bytes(i % 251 for i in range(300000))
    server.settimeout(60)
    for number in range(5):
        peer, _ = server.accept()
        peer.settimeout(60)
        with peer:
            peer.sendall(b"answer")
            if number == 0:
                peer.shutdown(socket.SHUT_WR)
            assert received(peer) == expected
    server.close()
    assert eventually(lambda: router.handlers.read("source", "over") == "5")
    assert (read(router, "opened"), router.handlers.read("source", "received")) == ("5", "30")


def answered(server: socket.socket) -> None:
    """A connection to a server gets back what it sends."""
    peer, _ = server.accept()
    peer.settimeout(120)
    with peer:
        while data := peer.recv(1 << 16):
            peer.sendall(data)


@pytest.mark.whole
def test_a_proxy(running, host):
    """Between Linux and Linux, by bad roads: how fast each side is changes all the time."""
    router = running(
        f"{BAD_ROADS} tcp :: TCPConnections(10, EXTENSIONS {SELECTIVE}, BUFFER 131072); tun :: KernelTun({LINUX}/24) -> Bad(0.005, 0.005)"
        f" -> {line(', 7', f'TCPSplice(tcp, 7, {ROUTER}, {LINUX}, 9)')} -> Bad(0.005, 0.005) -> tun;",
        host,
    )
    with host.call(lambda: socket.create_server((LINUX, 9))) as server, ThreadPoolExecutor() as pool:
        for _ in range(2):
            answering = pool.submit(answered, server)
            comes_back(host, 4 * MB)
            answering.result()
    assert read(router, "received") == str(16 * MB)
    with pytest.raises(ConnectionResetError), connect(host) as refused:
        # A reset that is lost is sent again for data.
        refused.sendall(b"x")
        refused.recv(1)
    assert eventually(lambda: all(row.split()[5] == "TIME-WAIT" for row in read(router, "table").splitlines()))


@pytest.mark.whole
def test_both_sides_open_at_once(running, host):
    """Both SYNs wait until the other one is sent, so that they cross."""
    router = running(
        f"tcp :: TCPConnections(1, EXTENSIONS windowscale timestamps); source :: TCPSource(tcp, {ROUTER}, {LINUX}, 7, LENGTH 9, LIMIT 1)"
        f" -> TCPOutput(tcp) -> sent :: Queue -> go :: Unqueue(ACTIVE false) -> tun :: KernelTun({LINUX}/24)"
        f" -> come :: Queue -> heard :: Unqueue(ACTIVE false) -> {line('', 'source', '').removesuffix(' -> ')};",
        host,
    )
    assert eventually(lambda: "SYN-SENT" in read(router, "table"))
    port = int(read(router, "table").split()[2])
    with host.socket() as peer, ThreadPoolExecutor() as pool:
        peer.settimeout(60)
        peer.bind((LINUX, 7))
        opened = pool.submit(peer.connect, (ROUTER, port))
        assert eventually(lambda: all(int(router.handlers.read(queue, "length")) for queue in ("sent", "come")))
        router.handlers.write("go", "active", "true")
        router.handlers.write("heard", "active", "true")
        opened.result()
        assert received(peer) == bytes(range(9))
    assert eventually(lambda: read(router, "table").split()[5:6] in ([], ["TIME-WAIT"]))


@pytest.mark.whole
def test_a_smaller_link_on_the_way(running, network, host):
    """Linux forwards to it, and says what it takes; the server asks for segments of 1460 bytes."""
    far = network.host("far", host, "eth0", "10.5.0.2/24", "10.5.0.1")
    host.address("eth0", "10.5.0.1/24")
    host.sysctl("net.ipv4.ip_forward", "1")
    host.ip("link", "set", "eth0", "mtu", "700")
    server = far.call(lambda: socket.create_server(("10.5.0.2", 7)))
    router = running(
        f"tcp :: TCPConnections(1, EXTENSIONS {SELECTIVE}); source :: TCPSource(tcp, {ROUTER}, 10.5.0.2, 7, LENGTH {MB}, LIMIT 1)"
        f" -> TCPOutput(tcp) -> tun :: KernelTun({LINUX}/24) -> {line('', 'source', '').removesuffix(' -> ')};",
        host,
    )
    server.settimeout(60)
    peer, _ = server.accept()
    peer.settimeout(60)
    with peer, server:
        assert received(peer) == bytes(i % 251 for i in range(MB))
    assert int(read(router, "retransmitted")) > 0 and read(router, "aborted") == "0"


def test_ipv6(running, host):
    router = running(
        f"tcp :: TCPConnections(100); tun :: KernelTun({LINUX}/24, DEVNAME tcp6) -> {line(', 7')} -> tun;",
        host,
    )
    host.sysctl("net.ipv6.conf.tcp6.disable_ipv6", "0")
    host.ip("address", "add", f"{LINUX6}/64", "dev", "tcp6", "nodad")
    with connect(host, to=ROUTER6) as opened:
        opened.sendall(b"six")
        assert opened.recv(10) == b"six"
        assert ROUTER6 in read(router, "table")


@pytest.mark.whole
def test_linux_answers_until_it_is_gone(echo, host):
    router = echo("KEEPALIVE 0.2, KEEPALIVE_INTERVAL 0.2, KEEPALIVE_COUNT 10, TIMEOUT 3")
    with connect(host) as opened:
        opened.sendall(b"x")
        assert opened.recv(1) == b"x"
        segments = int(read(router, "segments"))
        # Longer than TIMEOUT would let it live.
        assert eventually(lambda: int(read(router, "segments")) >= segments + 20)
        assert read(router, "silent") == "0" and "ESTABLISHED" in read(router, "table")
        host.ip("route", "add", "blackhole", ROUTER)
        assert eventually(lambda: read(router, "silent") == "1")


@pytest.mark.timeout(300 + STREAM / 10000)
@pytest.mark.parametrize(
    "extensions", [pytest.param(s, marks=() if s == SUBSETS[-1] else pytest.mark.whole, id=s or "none") for s in SUBSETS + PAIRS]
)
def test_all_subsets_by_a_bad_road(echo, host, extensions):
    """In both directions five segments of a hundred are lost, five come twice, and five too late."""
    router = echo(f"RTO_MIN 0.01{', EXTENSIONS ' * bool(extensions)}{extensions}", loss=0.05)
    comes_back(host, STREAM)
    assert read(router, "aborted") == "0" and int(read(router, "retransmitted")) > 0


@pytest.mark.whole
@pytest.mark.parametrize(
    "extensions",
    [" ".join(FOUR), " ".join(reversed(FOUR)), "timestamps windowscale " + " ".join(FOUR), f"headerprediction {SELECTIVE}"],
)
@pytest.mark.parametrize("loss", [0, 0.05])
def test_much(echo, host, extensions, loss):
    router = echo(f"EXTENSIONS {extensions}, BUFFER 262144", loss)
    comes_back(host, 3 * MB if loss else 40 * MB)
    assert eventually(lambda: read(router, "aborted") == "0")


def told(host: Namespace, name: str) -> int:
    """A count of Linux's TCP in the namespace (/proc/net/netstat)."""
    names, values = host.call(lambda: Path("/proc/thread-self/net/netstat").read_text()).splitlines()[:2]
    return dict(zip(names.split()[1:], map(int, values.split()[1:]), strict=True))[name]


@pytest.mark.whole
def test_linux_repairs_losses_selectively(echo, host):
    """Here Linux sends what is lost, and what comes back is lost as often: it gets next to nothing twice, and knows what is missing."""
    router = echo(f"EXTENSIONS {SELECTIVE}, BUFFER 262144", loss=0.02)
    comes_back(host, 2 * MB)
    assert told(host, "TCPSackRecovery") > 0
    assert int(read(router, "retransmitted")) > 0 and read(router, "aborted") == "0"


def test_only_what_is_lost_is_sent_again(running, host):
    """Of what is sent to Linux some is lost, and nothing on the way back: whatever comes twice Linux reports (RFC 2883), and counts."""
    server = host.call(lambda: socket.create_server(("0.0.0.0", 7)))
    router = running(
        f"tcp :: TCPConnections(1, EXTENSIONS {SELECTIVE}, BUFFER 262144);"
        f" source :: TCPSource(tcp, {ROUTER}, {LINUX}, 7, LENGTH {4 * MB}, LIMIT 1)"
        f" -> TCPOutput(tcp) -> s :: RandomSample(DROP 0.02) -> tun :: KernelTun({LINUX}/24)"
        f" -> {line('', 'source', '').removesuffix(' -> ')}; s[1] -> lost :: Counter -> Discard;",
        host,
    )
    server.settimeout(60)
    peer, _ = server.accept()
    peer.settimeout(60)
    with peer, server:
        assert len(received(peer)) == 4 * MB
    lost, again = int(router.handlers.read("lost", "count")), int(read(router, "retransmitted"))
    assert lost > 20 and abs(again - lost) <= 5 + lost // 10
    assert told(host, "TCPDSACKOldSent") + told(host, "TCPDSACKOfoSent") <= 5 + lost // 10

"""Socket: packets between the router and programs, in all roles."""

import os
import resource
import socket
import time
from contextlib import contextmanager, suppress

import pytest

from clickbpf.errors import ClickError

pytestmark = pytest.mark.needs("root", "ip")

ECHO = "s :: Socket({}) -> c :: Counter -> s;"


@pytest.fixture
def host(network):
    return network.namespace("host")


def connected(host, family, kind, address, own=None):
    """A client's socket, in the namespace."""

    def connect():
        made = socket.socket(family, kind)
        made.settimeout(60)
        if own is not None:
            made.bind(own)
        made.connect(address)
        return made

    return host.call(connect)


def test_a_tcp_server_serves_one_client_after_the_other(running, host):
    running(ECHO.format("TCP, 127.0.0.1, 7000"), host)
    first = connected(host, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 7000))
    second = connected(host, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 7000))
    second.sendall(b"two")
    first.sendall(b"one")
    assert first.recv(100) == b"one"
    first.close()
    assert second.recv(100) == b"two"
    second.close()


@pytest.mark.parametrize("input_", ["-> s", "-> Queue(20000) -> s"])
def test_much_data_waits_for_room(running, host, input_):
    """Ten megabytes are more than the kernel's buffers hold; nothing is lost, though the client reads late."""
    r = running(f"s :: Socket(TCP, 127.0.0.1, 7000, SNAPLEN 1000) {input_};", host)
    client = connected(host, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 7000))
    client.setblocking(False)
    data = bytes(range(256)) * 4000
    sent, received, stop = 0, b"", time.monotonic() + 60
    while len(received) < len(data) and time.monotonic() < stop:
        with suppress(BlockingIOError):
            sent += client.send(data[sent : sent + 100_000]) if sent < len(data) else 0
        if sent == len(data) or sent > 600_000:
            try:
                received += client.recv(1 << 16)
            except BlockingIOError:
                time.sleep(0.001)
    assert received == data
    assert r.drops("s") == {}
    client.close()


@contextmanager
def no_descriptors():
    """This process can't open anything more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    next_one = os.dup(0)
    os.close(next_one)
    resource.setrlimit(resource.RLIMIT_NOFILE, (next_one, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_without_descriptors_a_server_tries_again_now_and_then(running, host, capfd):
    running(ECHO.format("TCP, 127.0.0.1, 7000, VERBOSE true"), host)
    client = host.call(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
    client.settimeout(60)
    said, begin = "", time.monotonic()
    with no_descriptors():
        client.connect(("127.0.0.1", 7000))
        while said.count("Too many open files") < 4:
            assert time.monotonic() < begin + 60, "it says so at each attempt"
            time.sleep(0.02)
            said += capfd.readouterr().err
        seconds = time.monotonic() - begin
    assert said.count("Too many open files") <= 10 * seconds + 1, "ten times a second"
    client.sendall(b"late")
    assert client.recv(100) == b"late"
    client.close()


def test_a_tcp_client(running, host, becomes):
    server = host.call(lambda: socket.create_server(("127.0.0.1", 7000)))
    server.settimeout(60)
    r = running("s :: Socket(TCP, 127.0.0.1, 7000, CLIENT true) -> c :: Counter -> s;", host)
    peer, _ = server.accept()
    peer.sendall(b"question")
    assert peer.recv(100) == b"question"
    peer.close()
    becomes(r, "c.count", "1")
    server.close()


def test_nobody_answers(running, host):
    with pytest.raises(ClickError, match="connect: Connection refused"):
        running("Socket(TCP, 127.0.0.1, 7000, CLIENT true) -> Discard;", host)


def test_the_port_is_taken(running, host):
    taken = host.call(lambda: socket.create_server(("127.0.0.1", 7000)))
    with pytest.raises(ClickError, match="bind: Address already in use"):
        running("Socket(TCP, 127.0.0.1, 7000) -> Discard;", host)
    taken.close()


def test_a_udp_server_answers_whom_it_heard_last(running, host):
    r = running(ECHO.format("UDP, 127.0.0.1, 7000"), host)
    clients = [connected(host, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 7000)) for _ in range(2)]
    for client in (clients[0], clients[1], clients[0]):
        client.send(b"datagram")
        assert client.recv(100) == b"datagram"
    clients[0].send(b"")
    assert clients[0].recv(100) == b""
    assert r.drops("s") == {}


def test_a_udp_server_that_heard_nobody_drops(running, host, becomes):
    r = running("RatedSource(x, LIMIT 3, RATE 100) -> c :: Counter -> s :: Socket(UDP, 127.0.0.1, 7000) -> Discard;", host)
    becomes(r, "c.count", "3")
    assert r.drops("s") == {"DEVICE": 3}


@pytest.mark.parametrize("arguments, before", [("127.0.0.1, 7000", ""), ("0.0.0.0, 7000", "SetIPAddress(127.0.0.1) ->")])
def test_a_udp_client(running, host, arguments, before):
    """To one address, or to where each packet's annotation says."""
    server = host.call(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    server.settimeout(60)
    server.bind(("127.0.0.1", 7000))
    running(f"RatedSource(hello, LIMIT 1) -> {before} Socket(UDP, {arguments}, 127.0.0.1, 7001) -> Discard;", host)
    assert server.recvfrom(100) == (b"hello", ("127.0.0.1", 7001))
    server.close()


def test_long_datagrams_are_cut(running, host, becomes):
    r = running(
        "Socket(UDP, 127.0.0.1, 7000, SNAPLEN 10) -> l :: CheckLength(10) -> Pad -> CheckLength(29) -> c :: Counter -> Discard;", host
    )
    client = connected(host, socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 7000))
    client.send(bytes(29))
    becomes(r, "c.byte_count", "29")


@pytest.mark.parametrize("kind, type_", [(socket.SOCK_STREAM, "UNIX"), (socket.SOCK_DGRAM, "UNIX_DGRAM")])
def test_unix_sockets(running, host, tmp_path, kind, type_):
    name = tmp_path / "server"
    r = running(ECHO.format(f'{type_}, "{name}"'))
    client = connected(host, socket.AF_UNIX, kind, str(name), own=str(tmp_path / "client"))
    client.send(b"through a file")
    assert client.recv(100) == b"through a file"
    client.close()
    r.close()
    assert not name.exists()


def test_a_name_in_the_abstract_namespace(running, host):
    name = f"clickbpf-test-{time.monotonic_ns()}"
    running(ECHO.format(f"UNIX, \\<00>{name}"), host)
    client = connected(host, socket.AF_UNIX, socket.SOCK_STREAM, b"\0" + name.encode())
    client.send(b"abstract")
    assert client.recv(100) == b"abstract"
    client.close()


@pytest.mark.parametrize(
    "allow, deny, served",
    [
        ("127.0.0.1/32", "0/0", True),
        ("127.0.0.2/32", "0/0", False),
        ("127.0.0.2/32", "127.0.0.2/32", True),
        (None, "127.0.0.0/8", False),
        ("10.0.0.0/8", None, True),
    ],
)
@pytest.mark.parametrize("type_, kind", [("TCP", socket.SOCK_STREAM), ("UDP", socket.SOCK_DGRAM)])
def test_some_are_not_served(running, host, type_, kind, allow, deny, served):
    tables = "".join(f"Idle -> {name} :: RadixIPLookup({route} 0) -> Discard;" for name, route in (("a", allow), ("d", deny)) if route)
    keywords = (", ALLOW a" if allow else "") + (", DENY d" if deny else "")
    running(tables + ECHO.format(f"{type_}, 127.0.0.1, 7000{keywords}"), host)
    client = connected(host, socket.AF_INET, kind, ("127.0.0.1", 7000))
    client.settimeout(60 if served else 0.2)
    try:
        client.send(b"please")
        answer = client.recv(100)
    except (TimeoutError, ConnectionError):
        answer = b""
    assert answer == (b"please" if served else b"")
    client.close()


def test_what_verbose_tells(running, host, becomes, capfd):
    running(ECHO.format("TCP, 127.0.0.1, 7000, VERBOSE true"), host)
    client = connected(host, socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 7000))
    client.send(b"x")
    client.recv(1)
    port = client.getsockname()[1]
    client.close()
    told = ""
    while "closed" not in told:
        told += capfd.readouterr().err
    assert f"from 127.0.0.1:{port}\n" in told
    assert told.startswith("s :: Socket: opened connection ")


def test_mistakes(refused_router):
    assert "unknown socket type 'SCTP'" in refused_router("Socket(SCTP, 1.2.3.4, 5) -> Discard;")
    assert "PORT is missing" in refused_router("Socket(TCP, 1.2.3.4) -> Discard;")
    assert "is not a port" in refused_router("Socket(TCP, 1.2.3.4, 70_000x) -> Discard;")
    assert "too long" in refused_router(f"Socket(UNIX, /{'x' * 107}) -> Discard;")
    assert "too many arguments" in refused_router("Socket(UNIX, a, b, c) -> Discard;")
    assert "c is not an IPRouteTable" in refused_router("Socket(TCP, 0.0.0.0, 5, ALLOW c) -> c :: Counter -> Discard;")

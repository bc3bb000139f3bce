"""configs/nat.click between Linux hosts: many connections at once, traceroute, active FTP, and what the kernel does alone.

pc                           gateway                        isp                          server
192.168.0.2, .3 ---- 192.168.0.1  198.51.100.1 ---- 198.51.100.254  203.0.113.1 ---- 203.0.113.5
"""

import errno
import os
import re
import signal
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest
from tests.configs.conftest import Loaded
from tests.configs.connections import without_runtime
from tests.configs.traffic import CONFIGS

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.testing.netns import Namespace, Network
from clickbpf.testing.traffic import ping

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

SERVER, PUBLIC = "203.0.113.5", "198.51.100.1"
FLOWS = 200
#: ICMP types and codes (RFC 792).
EXCEEDED, PORT_UNREACHABLE = (11, 0), (3, 3)
IP_RECVERR, MSG_ERRQUEUE = 11, 0x2000


@pytest.fixture(scope="module")
def built():
    """(pc, isp, server, the gateway)."""
    with Network() as network:
        hosts = build(network)
        gateway = Loaded(hosts[-1], CONFIGS / "nat.click", FLOWS=str(FLOWS))
        try:
            yield *hosts[:-1], gateway
        finally:
            gateway.unload()


@pytest.fixture
def house(built):
    """The same without flows."""
    gateway = built[-1]
    gateway.write("nat.clear")
    gateway.write("nat.capacity", str(FLOWS))
    return built


def build(network: Network) -> tuple[Namespace, Namespace, Namespace, Namespace]:
    gateway = network.namespace("gateway")
    pc = network.host("pc", gateway, "eth0", "192.168.0.2/24", "192.168.0.1")
    pc.address("eth0", "192.168.0.3/24")
    isp = network.host("isp", gateway, "eth1", "198.51.100.254/24")
    server = network.host("server", isp, "eth1", f"{SERVER}/24", "203.0.113.1")
    isp.address("eth1", "203.0.113.1/24")
    isp.sysctl("net.ipv4.ip_forward", "1")
    for device, mac, address in (("eth0", "02:00:00:00:00:10", "192.168.0.1/24"), ("eth1", "02:00:00:00:01:10", f"{PUBLIC}/24")):
        gateway.ip("link", "set", device, "address", mac)
        gateway.address(device, address)
    gateway.route("default", "198.51.100.254")
    return pc, isp, server, gateway


@contextmanager
def echo_server(server, port: int):
    """A TCP server that answers each line with the client's address as it sees it."""
    listening = server.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((SERVER, port))
    listening.listen(200)
    with listening, ExitStack() as connections:

        def serve():
            while True:
                try:
                    connection, peer = listening.accept()
                except OSError:
                    return
                connections.enter_context(connection)
                threading.Thread(target=answer, args=(connection, peer), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield
        finally:
            listening.shutdown(socket.SHUT_RDWR)


def answer(connection: socket.socket, peer: tuple[str, int]) -> None:
    try:
        while connection.recv(4096):
            connection.sendall(f"{peer[0]} {peer[1]}\n".encode())
    except OSError as error:
        assert error.errno in (errno.EBADF, errno.ECONNRESET, errno.EPIPE)


def connect(pc, address: str, port: int, to: int) -> socket.socket:
    client = pc.socket()
    client.settimeout(60)
    client.bind((address, port))
    client.connect((SERVER, to))
    return client


def seen_as(client: socket.socket) -> str:
    """Who the server says that it talks to."""
    client.sendall(b"who am I?\n")
    return client.recv(4096).decode().strip()


@pytest.mark.whole
def test_a_hundred_connections_have_ports_of_their_own_and_go_on_without_the_runtime(house):
    pc, _, server, gateway = house
    with echo_server(server, 8000), ExitStack() as open_sockets:
        clients = [
            open_sockets.enter_context(connect(pc, f"192.168.0.{host}", 5000 + number, 8000)) for host in (2, 3) for number in range(50)
        ]
        names = [seen_as(client) for client in clients]
        assert len(set(names)) == 100
        assert all(name.startswith(f"{PUBLIC} ") for name in names)
        # A port that is free stays what it was.
        assert names[:50] == [f"{PUBLIC} {5000 + number}" for number in range(50)]
        assert gateway.read("nat.table_size") == "100"

        with without_runtime(gateway.name):
            assert [seen_as(client) for client in clients] == names
        # The time-out is that of connections with data in both directions, and has begun again.
        lines = gateway.read("nat.tcp_table").splitlines()
        assert len(lines) == 200
        assert all(86390 <= int(re.search(r"exp(\d+)$", line)[1]) <= 86400 for line in lines)


@pytest.mark.whole
def test_flows_outlive_the_runtime(house):
    pc, _, server, gateway = house
    with echo_server(server, 8000), ExitStack() as open_sockets:
        clients = [open_sockets.enter_context(connect(pc, "192.168.0.2", 6000 + number, 8000)) for number in range(5)]
        names = [seen_as(client) for client in clients]
        os.kill(service.alive(RunFolder.of(gateway.name)), signal.SIGKILL)
        time.sleep(0.3)
        assert [seen_as(client) for client in clients] == names
        table = gateway.read("nat.tcp_table")
        assert len(table.splitlines()) == 10
        gateway.clickbpf("load", "--runtime-only", gateway.name)
        assert gateway.read("nat.tcp_table").splitlines()[0].partition(" exp")[0] == table.partition(" exp")[0]
        assert (gateway.read("nat.size"), gateway.read("nat.table_size")) == ("5", "5")
        # The new runtime knows which ports are taken.
        other = open_sockets.enter_context(connect(pc, "192.168.0.3", 6000, 8000))
        assert seen_as(other) not in names
        clients[0].shutdown(socket.SHUT_RDWR)
        assert [seen_as(client) for client in clients[1:]] == names[1:]


@pytest.mark.whole
def test_flows_move_to_a_router_that_takes_its_place(house):
    pc, _, server, gateway = house
    with echo_server(server, 8000), ExitStack() as open_sockets:
        clients = [open_sockets.enter_context(connect(pc, "192.168.0.2", 6500 + number, 8000)) for number in range(5)]
        names = [seen_as(client) for client in clients]
        gateway.clickbpf("load", "--replace", "-n", gateway.name, str(CONFIGS / "nat.click"), f"FLOWS={FLOWS + 100}")
        assert gateway.read("nat.capacity") == str(FLOWS + 100)
        assert [seen_as(client) for client in clients] == names


def test_established_flows_stay_and_new_ones_are_refused_when_the_table_is_full(house):
    pc, _, server, gateway = house
    gateway.write("nat.capacity", "10")
    with echo_server(server, 8000), ExitStack() as open_sockets:
        clients = [open_sockets.enter_context(connect(pc, "192.168.0.2", 7000 + n, 8000)) for n in range(10)]
        names = [seen_as(client) for client in clients]
        late = open_sockets.enter_context(pc.socket())
        late.settimeout(0.5)
        with pytest.raises(TimeoutError):
            late.connect((SERVER, 8000))
        assert int(gateway.read("nat.mapping_failures")) >= 1
        assert [seen_as(client) for client in clients] == names


def test_pings_and_traceroutes_pass(house):
    pc, _, server, gateway = house
    assert ping(pc, SERVER, 3) == 3
    assert gateway.read("ping.table").startswith("(192.168.0.2, 203.0.113.5, ")
    # Each router says who it is, and its error is about the packet as it was sent: else the socket would not get it.
    assert [hop(pc, ttl) for ttl in (1, 2, 3)] == [
        ("192.168.0.1", EXCEEDED),
        ("198.51.100.254", EXCEEDED),
        (SERVER, PORT_UNREACHABLE),
    ]
    assert ping(server, PUBLIC) == 1, "Linux answers for the gateway itself"


def test_errors_about_known_packets_find_their_way_without_the_runtime(house):
    """Each datagram to a closed port is answered by an error, which the socket gets that sent it."""
    pc, _, server, gateway = house
    server.sysctl("net.ipv4.icmp_ratelimit", "0")
    with pc.socket(kind=socket.SOCK_DGRAM) as asking:
        asking.settimeout(60)
        asking.connect((SERVER, 33435))
        for _ in range(5):  # so many until there is nothing more to learn about the flow
            is_refused(asking)
        with without_runtime(gateway.name):
            for _ in range(50):
                is_refused(asking)


def is_refused(asking: socket.socket) -> None:
    asking.send(b"is anybody there?")
    with pytest.raises(ConnectionRefusedError):
        asking.recv(100)


def hop(pc, ttl: int) -> tuple[str, tuple[int, int]]:
    """Who answers a datagram to a closed port of the server, and by which ICMP error."""
    with pc.socket(kind=socket.SOCK_DGRAM) as asking:
        asking.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, ttl)
        asking.setsockopt(socket.IPPROTO_IP, IP_RECVERR, 1)
        asking.connect((SERVER, 33434))
        asking.send(b"hop")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                _, extra, _, _ = asking.recvmsg(512, 512, MSG_ERRQUEUE)
            except BlockingIOError:
                time.sleep(0.02)
                continue
            error = extra[0][2]
            # struct sock_extended_err: errno, origin, type, code, ...; after it the offender's sockaddr_in.
            _, _, kind, code = struct.unpack_from("=IBBB", error)
            return socket.inet_ntoa(error[20:24]), (kind, code)
    raise TimeoutError(ttl)


def test_active_ftp_opens_its_data_connection_from_outside(house):
    pc, _, server, gateway = house
    got: list[bytes] = []
    control = server.socket()
    control.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    control.bind((SERVER, 21))
    control.listen(1)
    serving = threading.Thread(target=ftp_server, args=(server, control, got), daemon=True)
    serving.start()
    with control, pc.socket() as client, pc.socket() as data:
        data.bind(("192.168.0.2", 0))
        data.listen(1)
        data.settimeout(60)
        client.settimeout(60)
        client.connect((SERVER, 21))
        assert client.recv(100) == b"220 ready\r\n"
        port = data.getsockname()[1]
        for attempt in range(2):
            client.sendall(f"PORT 192,168,0,2,{port >> 8},{port & 255}\r\n".encode())
            assert client.recv(100) == b"200 done\r\n"
            client.sendall(b"RETR file\r\n")
            with data.accept()[0] as transfer:
                assert transfer.makefile("rb").read() == b"contents %d" % attempt
            assert client.recv(100) == b"226 sent\r\n"
    serving.join(60)
    # The server has met the public address only; the commands' length has changed, and TCP hasn't noticed.
    assert [line.split(b",")[:4] for line in got if line.startswith(b"PORT")] == [[b"PORT 198", b"51", b"100", b"1"]] * 2


def ftp_server(server, control: socket.socket, got: list[bytes]) -> None:
    """Enough of RFC 959 for PORT and RETR."""
    connection, _ = control.accept()
    with connection, connection.makefile("rb") as lines:
        connection.sendall(b"220 ready\r\n")
        for attempt in range(2):
            got.append(lines.readline())
            numbers = [int(n) for n in got[-1].split()[1].split(b",")]
            connection.sendall(b"200 done\r\n")
            got.append(lines.readline())
            with server.socket() as data:
                data.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                data.bind((SERVER, 20))
                data.connect((".".join(map(str, numbers[:4])), numbers[4] * 256 + numbers[5]))
                data.sendall(b"contents %d" % attempt)
            connection.sendall(b"226 sent\r\n")


def test_dhcp_and_the_gateways_own_connections_are_linuxs(house):
    pc, isp, _, gateway = house
    with gateway.where.socket(kind=socket.SOCK_DGRAM) as listening, pc.socket(kind=socket.SOCK_DGRAM) as asking:
        listening.bind(("0.0.0.0", 67))
        listening.settimeout(60)
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        asking.bind(("192.168.0.2", 68))
        asking.sendto(b"discover", ("255.255.255.255", 67))
        assert listening.recv(100) == b"discover"
    with isp.socket() as listening, gateway.where.socket() as asking:
        listening.bind(("198.51.100.254", 9000))
        listening.listen(1)
        asking.settimeout(60)
        asking.connect(("198.51.100.254", 9000))
    assert gateway.read("nat.table_size") == "0"


@pytest.mark.whole
def test_two_cpus_forward_through_32_rewriters(network, load):
    """Each host's flows are one rewriter's, whose ports they get; what is known needs no runtime, whichever CPU it comes by."""
    gateway = network.namespace("gateway")
    pc = network.host("pc", gateway, "eth0", "10.0.0.2/8", "10.0.0.1")
    isp = network.host("isp", gateway, "eth1", "198.51.100.254/24")
    isp.address("eth0", f"{SERVER}/32")
    for device, mac in (("eth0", "02:00:00:00:00:10"), ("eth1", "02:00:00:00:01:10")):
        gateway.ip("link", "set", device, "address", mac)
    router = load(gateway, CONFIGS / "papers" / "nat-smp32.click", options=("-j", "2"), FLOWS="100")

    def converse(cpu: int, clients: list[socket.socket]) -> set[str]:
        os.sched_setaffinity(0, {cpu})
        return {seen_as(client) for _ in range(20) for client in clients}

    hosts = [f"10.0.0.{number}" for number in range(2, 26)]
    for host in hosts[1:]:
        pc.address("eth0", f"{host}/8")
    with echo_server(isp, 8000), ExitStack() as open_sockets, ThreadPoolExecutor() as threads:
        clients = [open_sockets.enter_context(connect(pc, host, 5000, 8000)) for host in hosts]
        names = {seen_as(client) for client in clients}
        with without_runtime(router.name):
            halves = threads.map(converse, sorted(os.sched_getaffinity(0))[:2], (clients[::2], clients[1::2]))
            assert set().union(*halves) == names
    used = {number for number in range(32) if router.read(f"rw/n{number}/rw.table_size") != "0"}
    assert used == {int(name.split()[1]) // 2048 for name in names} and len(used) > 8

"""configs/loadbalancer.click with four HTTP servers, of which some come and go while clients are served.

client                       balancer                          bridge ---- web0 10.0.0.1
203.0.113.1 ---- 203.0.113.80  10.0.0.254 ----------------------- | ---- ... web3 10.0.0.4
"""

import socketserver
import threading
from collections import Counter
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.configs.traffic import CONFIGS
from tests.waiting import eventually

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

SERVICE = "203.0.113.80"
SERVERS = [f"10.0.0.{number}" for number in (1, 2, 3, 4)]


class Page(BaseHTTPRequestHandler):
    """The server's address, by HTTP 1.1: the connection stays open."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        text = self.server.name.encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class Web(ThreadingHTTPServer):
    """An HTTP server within a namespace."""

    def __init__(self, namespace, address: str):
        super().__init__((address, 80), Page, bind_and_activate=False)
        self.socket.close()
        self.socket, self.name = namespace.socket(), address
        socketserver.TCPServer.server_bind(self)
        self.server_activate()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Client(HTTPConnection):
    """A connection to the service from within a namespace."""

    def __init__(self, namespace):
        super().__init__(SERVICE, timeout=60)
        self.sock = namespace.socket()
        self.sock.settimeout(60)
        self.sock.connect((SERVICE, 80))

    def ask(self) -> str:
        """Which server answers."""
        self.request("GET", "/")
        return self.getresponse().read().decode()


@pytest.fixture
def farm(network, load):
    """(the client's namespace, the balancer); all servers run, and the first three are in use."""
    balancer, bridge = network.namespace("balancer"), network.namespace("bridge")
    client = network.host("client", balancer, "eth0", "203.0.113.1/24")
    network.veth(balancer, "eth1", bridge, "uplink")
    bridge.offload("uplink", tx=False, gro=True)
    bridge.ip("link", "add", "br0", "type", "bridge")
    bridge.ip("link", "set", "br0", "up")
    bridge.ip("link", "set", "uplink", "master", "br0")
    webs = []
    for number, address in enumerate(SERVERS):
        host = network.host(f"web{number}", bridge, f"port{number}", f"{address}/24", "10.0.0.254")
        bridge.ip("link", "set", f"port{number}", "master", "br0")
        webs.append(Web(host, address))
    for device, mac in (("eth0", "02:00:00:00:00:10"), ("eth1", "02:00:00:00:01:10")):
        balancer.ip("link", "set", device, "address", mac)
    router = load(balancer, CONFIGS / "loadbalancer.click", CONNECTIONS="1000")
    router.write("servers.active3", "false")
    yield client, router
    for web in webs:
        web.shutdown()
        web.server_close()


def fresh(client, count: int) -> Counter:
    """Which servers get new connections, one after another."""
    found: Counter[str] = Counter()
    for _ in range(count):
        connection = Client(client)
        found[connection.ask()] += 1
        connection.close()
    return found


@pytest.mark.whole
def test_servers_come_and_go_without_a_broken_connection(farm):
    client, balancer = farm
    assert fresh(client, 6) == dict.fromkeys(SERVERS[:3], 2)
    lasting = [Client(client) for _ in range(6)]
    served_by = [connection.ask() for connection in lasting]
    assert set(served_by) == set(SERVERS[:3])

    ended, failures, asked = threading.Event(), [], Counter()

    def keep_asking() -> None:
        # The table of flows has room for a thousand, and each keeps its place for seconds.
        while not ended.wait(0.05):
            try:
                asked[fresh(client, 1).most_common()[0][0]] += 1
            except OSError as failure:
                failures.append(failure)

    clients = [threading.Thread(target=keep_asking) for _ in range(4)]
    for thread in clients:
        thread.start()
    try:
        # One is added, another taken out of use: what it has goes on, it gets nothing new.
        balancer.write("servers.active3", "true")
        assert any(fresh(client, 1)[SERVERS[3]] for _ in range(100)), "the others' turns may leave it out a few times"
        balancer.write("servers.active1", "false")
        assert SERVERS[1] not in fresh(client, 20)
        assert [connection.ask() for connection in lasting] == served_by
        # Its place becomes another machine's.
        balancer.write("servers.pattern1", f"- - {SERVERS[0]} - 0 1")
        balancer.write("servers.active1", "true")
        assert [connection.ask() for connection in lasting] == served_by
    finally:
        ended.set()
        for thread in clients:
            thread.join()
    assert not failures
    for connection in lasting:
        connection.close()
    # Two of four patterns are one machine now.
    assert fresh(client, 8) == {SERVERS[0]: 4, SERVERS[2]: 2, SERVERS[3]: 2}
    assert balancer.read("servers.patterns").splitlines()[1] == "- - 10.0.0.1 - 0 1"


@pytest.mark.whole
def test_a_server_that_answers_no_pings_gets_no_connections(farm, network):
    """It comes back when it answers; one that was taken out by hand stays out."""
    client, balancer = farm
    web = next(each for each in network.namespaces if each.name.endswith("web1"))
    for ignored, active in (("1", "false"), ("0", "true")):
        web.sysctl("net.ipv4.icmp_echo_ignore_all", ignored)
        assert eventually(lambda active=active: balancer.read("servers.active1") == active)
        assert (fresh(client, 6)[SERVERS[1]] > 0) == (active == "true")
    assert balancer.read("servers.active3") == "false" and balancer.read("servers.active0") == "true"

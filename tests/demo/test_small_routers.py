"""The small routers of configs/: each does what its first lines say, between a host and a box with one cable."""

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import wrpcap
from tests import commands
from tests.waiting import connected, eventually

from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import ping

CONFIGS = Path(__file__).parents[2] / "configs"
CLICKBPF = str(Path(sys.executable).with_name("clickbpf"))

HOST, BOX, NOBODY = "10.0.0.2", "10.0.0.1", "10.0.0.77"
#: Compiling and loading, on a busy machine.
PATIENCE = 120.0

live = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")


class Cable:
    """Two namespaces, `host` and `box`, which know each other's Ethernet address; routers are loaded in the box."""

    def __init__(self, network: Network):
        self.host, self.box = network.namespace("host"), network.namespace("box")
        network.veth(self.host, "eth0", self.box, "eth0")
        self.host.address("eth0", f"{HOST}/24")
        self.box.address("eth0", f"{BOX}/24")
        self.host.neighbour("eth0", BOX, self.box.mac("eth0"))
        self.box.neighbour("eth0", HOST, self.host.mac("eth0"))
        self.name = f"small-{self.box.name}"

    def clickbpf(self, *arguments: str) -> str:
        return commands.run(self.box, *arguments, check=True).stdout.strip()

    def read(self, handler: str) -> str:
        return commands.read(self.name, handler)


@pytest.fixture
def cable(network: Network) -> Cable:
    return Cable(network)


@pytest.fixture
def load(cable: Cable) -> Iterator[Callable[..., Cable]]:
    """Loads a configuration of that name in the box; unloads it after the test."""
    loaded = []

    def loading(name: str, *settings: str) -> Cable:
        cable.clickbpf("load", "-n", cable.name, str(CONFIGS / f"{name}.click"), *settings)
        loaded.append(cable.name)
        return cable

    yield loading
    for name in loaded:
        cable.clickbpf("unload", name)


@live
def test_counter_counts_every_packet_and_linux_has_them_all(load):
    cable = load("counter")
    assert ping(cable.host, BOX, 5, size=100) == 5
    assert cable.read("c.count") == "5"
    assert cable.read("c.byte_count") == str(5 * (14 + 20 + 8 + 100))


@live
def test_drop_drops_and_counts(load):
    cable = load("drop")
    assert ping(cable.host, BOX, 5, wait=0.2) == 0
    assert cable.read("c.count") == "5"


@live
def test_bounce_is_a_host_that_is_not_there(load):
    cable = load("bounce")
    assert ping(cable.host, NOBODY, 5, size=1000) == 5
    assert "02:00:00:00:00:4d" in cable.host.ip("neighbour", "show", NOBODY)
    assert ping(cable.host, BOX, 5) == 5, "all the rest is Linux's"


@live
def test_print_pings_prints_them_and_linux_answers(cable, tmp_path):
    log, control = tmp_path / "log", tmp_path / "control"
    with open(log, "w") as output:
        run = (CLICKBPF, "run", "-u", str(control), str(CONFIGS / "print-pings.click"))
        printing = cable.box.popen(*run, stdout=output, stderr=output)
    with connected(control) as client:
        assert client.read("host.class") == "ToHost", "it answers once it is on its device"
    assert eventually(lambda: ping(cable.host, BOX, wait=0.3, options=("-e", "1"))), "the link is up again"
    assert ping(cable.host, BOX, 3, options=("-e", "2")) == 3
    printing.send_signal(signal.SIGINT)
    assert printing.wait(PATIENCE) == 0, "as Click: interrupted is ended"
    assert log.read_text().count(f"{HOST} > {BOX}: icmp echo (2, ") == 3
    assert "xdp" not in cable.box.ip("link", "show", "eth0")


def test_pcap_count_counts_a_file(tmp_path):
    capture = tmp_path / "pings.pcap"
    wrpcap(str(capture), [Ether() / IP(dst=BOX) / ICMP() / bytes(length) for length in range(100)])
    done = subprocess.run(
        [CLICKBPF, "run", CONFIGS / "pcap-count.click", f"FILE={capture}", "-h", "c.count", "-h", "c.byte_count"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"c.count:\n100\n\nc.byte_count:\n{100 * (14 + 20 + 8) + sum(range(100))}\n\n"


def test_pcap_flows_tells_of_each_flow(tmp_path):
    capture = tmp_path / "flows.pcap"
    there, back = Ether() / IP(src=HOST, dst=BOX) / UDP(sport=1, dport=2), Ether() / IP(src=BOX, dst=HOST) / UDP(sport=2, dport=1)
    packets = [there, back, Ether() / IP(src=HOST, dst=BOX) / TCP(sport=1, dport=2), there, there]
    for second, packet in enumerate(packets):
        packet = packets[second] = packet.copy()
        packet.time = 100 + second * 25
    wrpcap(str(capture), packets)
    done = subprocess.run(
        [CLICKBPF, "run", CONFIGS / "pcap-flows.click", f"FILE={capture}"], capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines() if line[:1] != "!"]
    assert sorted((float(a), float(b), *rest) for a, b, *rest in lines) == [
        (100, 200, HOST, "1", BOX, "2", "U", "4"),
        (150, 150, HOST, "1", BOX, "2", "T", "1"),
    ]

"""Routers of L3 devices, whose packets begin with their IP header: tun devices between hosts, on TC."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator

import pytest
from scapy.layers.inet import ICMP, IP, UDP
from scapy.layers.l2 import GRE, Ether
from scapy.packet import Packet, Raw
from tests import commands
from tests.axes import axis
from tests.load.lan import PREPARE, transfer
from tests.load.tuns import TunCable
from tests.waiting import eventually, received

from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.testing.netns import Namespace, Network
from clickbpf.testing.traffic import RawPort, ping

pytestmark = pytest.mark.needs("root", "clang-19", "ip")

NAME = f"l3{os.getpid()}"
#: Who runs the elements: the kernel path, by TCX links and by classifiers, or the runtime alone.
KERNEL, CLASSIFIERS, RUNTIME = ("tcx",), ("clsact",), ("tcx", "--no-kernel")
HOW = {"kernel": KERNEL, "runtime": RUNTIME}
#: As Ethernet's, of the device that leads to the host `far`.
OWN, FAR = "02:00:00:00:02:01", "02:00:00:00:02:02"


class Site:
    """A router with two L3 devices, tun0 and tun1, and eth0: a host at the other end of each."""

    def __init__(self, net: Network, how: tuple[str, ...]):
        self.left, self.router, self.right, self.far = (net.namespace(label) for label in ("left", "router", "right", "far"))
        self.how, *self.words = how
        self.cables = [TunCable((self.router, f"tun{n}"), (host, "tun0")) for n, host in enumerate((self.left, self.right))]
        net.veth(self.router, "eth0", self.far, "eth0", macs=(OWN, FAR))
        for number, (host, device) in enumerate(((self.left, "tun0"), (self.right, "tun0"), (self.far, "eth0"))):
            host.address(device, f"10.0.{number}.2/24")
            self.router.address(("tun0", "tun1", "eth0")[number], f"10.0.{number}.1/24")
        for host in (self.left, self.right):
            host.ip("route", "add", "default", "dev", "tun0")
        self.far.route("default", "10.0.2.1")
        self.far.neighbour("eth0", "10.0.2.1", OWN)

    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        return commands.run(self.router, *words, check=check, prepare=PREPARE[self.how])

    def load(self, configuration: str, *words: str, hook: str = "tc", check: bool = True) -> subprocess.CompletedProcess:
        return self.command("load", "-n", NAME, "--hook", hook, *self.words, *words, "-e", configuration, check=check)

    def read(self, handler: str) -> str:
        return commands.read(NAME, handler)

    def close(self) -> None:
        self.command("unload", NAME, check=False)
        for cable in self.cables:
            cable.close()


@pytest.fixture(params=axis(*HOW))
def site(request, net: Network) -> Iterator[Site]:
    made = Site(net, HOW[request.param])
    yield made
    made.close()


@pytest.fixture(params=axis("clsact", *HOW))
def any_site(request, net: Network) -> Iterator[Site]:
    made = Site(net, HOW.get(request.param, CLASSIFIERS))
    yield made
    made.close()


@pytest.fixture
def kernel_site(net: Network) -> Iterator[Site]:
    made = Site(net, KERNEL)
    yield made
    made.close()


class Port(RawPort):
    """Of packets as scapy makes them."""

    def __init__(self, host: Namespace, device: str = "tun0"):
        super().__init__(host, device)

    def send(self, packet: Packet) -> None:
        super().send(bytes(packet))

    def next(self, wanted: int) -> list[bytes]:
        """The next packets. (Hosts send none by themselves: IPv6 is off.)"""
        return received(self, lambda found: len(found) >= wanted, silence=0)


def udp(ttl: int = 64, id: int = 7) -> IP:
    return IP(src="10.0.0.2", dst="10.0.1.2", ttl=ttl, id=id) / UDP(sport=1, dport=9) / Raw(b"x" * 300)


#: Between the two L3 devices.
ROUTER = """
in0 :: FromDevice(tun0, FORCE_IP true) -> c0 :: Counter -> CheckIPHeader -> DecIPTTL -> Queue -> out1 :: ToDevice(tun1);
in1 :: FromDevice(tun1) -> CheckIPHeader -> DecIPTTL -> Queue -> out0 :: ToDevice(tun0);
"""


@pytest.mark.whole
def test_tcp_between_l3_devices_arrives_whole_with_all_offloads_on(any_site: Site) -> None:
    site = any_site
    site.load(ROUTER)
    assert ping(site.left, "10.0.1.2", 2) == 2
    transfer(site.left, site.right, "10.0.1.2", 8 << 20)
    transfer(site.right, site.left, "10.0.0.2", 8 << 20)
    assert int(site.read("c0.count")) >= (8 << 20) // 1460, "each segment is counted"
    assert "nothing was dropped" in site.command("drops", NAME).stdout
    assert site.read("in0.encap") == "IP"
    with Port(site.right) as arrived, Port(site.left) as sender:
        sender.send(udp())
        (packet,) = arrived.next(1)
        assert packet == bytes(udp(ttl=63)), "nothing in front of the IP header, one hop less"


def test_the_kernel_path_forwards_without_the_runtime(kernel_site: Site) -> None:
    site = kernel_site
    site.load(ROUTER)
    os.kill(service.alive(RunFolder.of(NAME)), signal.SIGKILL)
    eventually(lambda: service.alive(RunFolder.of(NAME)) is None)
    transfer(site.left, site.right, "10.0.1.2", 1 << 20)
    assert "nothing was dropped" in site.command("drops", NAME).stdout, "joined segments, too, stay in the kernel"


#: Between an L3 device and an Ethernet.
MIXED = f"""
FromDevice(tun0) -> CheckIPHeader -> DecIPTTL -> EtherEncap(0x0800, {OWN}, {FAR}) -> Queue -> ToDevice(eth0);
FromDevice(eth0) -> c :: Classifier(12/0800, -) -> Strip(14) -> CheckIPHeader -> DecIPTTL -> Queue -> ToDevice(tun0);
c[1] -> ToHost;
"""


def test_tcp_between_an_l3_device_and_ethernet(site: Site) -> None:
    site.load(MIXED)
    assert ping(site.left, "10.0.2.2", 2) == 2
    transfer(site.left, site.far, "10.0.2.2")
    transfer(site.far, site.left, "10.0.0.2")
    assert "nothing was dropped" in site.command("drops", NAME).stdout


#: What is put in front of packets, and taken off again: the elements, and what arrives of a packet.
OUTER = IP(src="10.9.0.1", dst="10.9.0.2", ttl=250, id=0)
CHANGES = {
    "IPEncap(4, 10.9.0.1, 10.9.0.2)": lambda packet: OUTER.copy() / packet,
    "IPEncap(4, 10.9.0.1, 10.9.0.2) -> IPEncap(4, 10.9.0.1, 10.9.0.2)": lambda packet: OUTER.copy() / OUTER.copy() / packet,
    "IPEncap(4, 10.9.0.1, 10.9.0.2) -> Strip(20)": lambda packet: packet,
    "GREEncap(0x0800) -> IPEncap(47, 10.9.0.1, 10.9.0.2)": lambda packet: OUTER.copy() / GRE() / packet,
    "Truncate(200)": lambda packet: Raw(bytes(packet)[:200]),
    "Strip(20)": lambda packet: packet.payload,
}


def meaning(packet: bytes | Packet) -> bytes:
    """The packet without the identification numbers that IPEncap gives, and the checksums over them."""
    plain, at = bytearray(bytes(packet)), 0
    while plain[at] == 0x45 and len(plain) >= at + 20:
        plain[at + 4 : at + 6] = plain[at + 10 : at + 12] = b"\0\0"
        at += 24 if plain[at + 9] == 47 else 20
    return bytes(plain)


@pytest.mark.whole
@pytest.mark.parametrize("source", ["tun0", "eth0"])
def test_headers_put_in_front_and_taken_off(site: Site, source: str) -> None:
    """One way for each change; packets with the identification number n take the n-th."""
    start = "" if source == "tun0" else "Strip(14) -> "
    patterns = ", ".join(f"4/{number:04x}" for number in range(len(CHANGES)))
    ways = " ".join(f"c[{number}] -> {change} -> q;" for number, change in enumerate(CHANGES))
    site.load(f"q :: Queue -> ToDevice(tun1); FromDevice({source}) -> {start}c :: Classifier({patterns}); {ways}")
    host, device = (site.left, "tun0") if source == "tun0" else (site.far, "eth0")
    with Port(site.right) as arrived, Port(host, device) as sender:
        for number, (change, expected) in enumerate(CHANGES.items()):
            packet = IP(src="10.9.0.1", dst="10.9.0.2", id=number) / udp() if change == "Strip(20)" else udp(id=number)
            sender.send(packet if source == "tun0" else Ether(src=FAR, dst=OWN) / packet)
            (got,) = arrived.next(1)
            assert meaning(got) == meaning(expected(packet)), change


def test_decapsulated_packets_leave_by_ethernet(site: Site) -> None:
    site.load(f"FromDevice(tun0) -> Strip(24) -> EtherEncap(0x0800, {OWN}, {FAR}) -> Queue -> ToDevice(eth0);")
    with Port(site.far, "eth0") as arrived, Port(site.left) as sender:
        sender.send(IP(src="10.9.0.1", dst="10.9.0.2") / GRE() / udp())
        assert arrived.next(1) == [bytes(Ether(src=OWN, dst=FAR) / udp())]


def test_packets_of_another_version_or_of_none(site: Site) -> None:
    """What the kernel would take for another protocol: the runtime sends IPv6 in IPv4, and refuses what is no IP."""
    site.load("FromDevice(tun0) -> c :: Classifier(0/45, -) -> Strip(20) -> q :: Queue -> out :: ToDevice(tun1); c[1] -> q;")
    six = bytes.fromhex("6000000000003b40" + "00" * 15 + "01" + "00" * 15 + "02")
    with Port(site.right) as arrived, Port(site.left) as sender:
        sender.send(IP(src="10.9.0.1", dst="10.9.0.2", proto=41) / Raw(six))
        assert arrived.next(1) == [six]
        sender.send(Raw(six))
        assert arrived.next(1) == [six], "as it came in"
        sender.send(IP(src="10.9.0.1", dst="10.9.0.2", proto=41) / Raw(b"\xff" * 40))
        eventually(lambda: re.search(r"^out .*1 ", site.command("drops", NAME).stdout, re.MULTILINE))
    assert "DEVICE" in site.command("drops", NAME, "--json").stdout


#: Linux takes what is for the router itself, on the device that it came from; on the other one, through the runtime.
HOST = """
FromDevice(tun0) -> c :: Classifier(16/0a000001, -) -> host :: ToHost; c[1] -> Queue -> ToDevice(tun1);
FromDevice(tun1) -> ToHost(tun0);
"""


def test_linux_gets_packets_of_l3_devices(site: Site) -> None:
    site.router.sysctl("net.ipv4.conf.all.rp_filter", "0")
    site.load(HOST)
    assert ping(site.left, "10.0.0.1", 2) == 2
    with Port(site.router, "tun0") as seen, Port(site.right) as sender:
        sender.send(udp())
        assert seen.next(1) == [bytes(udp())]


def test_what_linux_sends_by_an_l3_device(any_site: Site) -> None:
    """It is taken and sent on, with all offloads; what the router sends there itself isn't taken."""
    site = any_site
    site.load(
        "FromOutbound(tun0) -> o :: Counter -> CheckIPHeader -> DecIPTTL -> q :: Queue -> ToDevice(tun0);"
        "FromDevice(tun1) -> q; FromDevice(tun0) -> ToHost;"
    )
    transfer(site.router, site.left, "10.0.0.2", 8 << 20)
    before = int(site.read("o.count"))
    assert before >= (8 << 20) // 1460, "each segment is counted"
    with Port(site.left) as arrived, Port(site.right) as sender:
        sender.send(udp(ttl=9))
        assert bytes(udp(ttl=9)) in arrived.next(1)
    assert "nothing was dropped" in site.command("drops", NAME).stdout


def test_copies_on_l3_devices(site: Site) -> None:
    """A mirror on another L3 device, and one on Ethernet whose copies get another header."""
    site.load(
        "FromDevice(tun0) -> t :: Tee(3) -> Queue -> ToDevice(tun1); t[1] -> Queue -> ToDevice(tun0);"
        f"t[2] -> EtherEncap(0x0800, {OWN}, {FAR}) -> Queue -> ToDevice(eth0);"
    )
    with Port(site.right) as right, Port(site.left) as left, Port(site.far, "eth0") as far:
        left.send(udp())
        assert right.next(1) == left.next(1) == [bytes(udp())]
        assert far.next(1) == [bytes(Ether(src=OWN, dst=FAR) / udp())]


def test_copies_from_ethernet(site: Site) -> None:
    site.load("FromDevice(eth0) -> Strip(14) -> t :: Tee(2) -> Queue -> ToDevice(tun0); t[1] -> Queue -> ToDevice(tun1);")
    with Port(site.right) as right, Port(site.left) as left, Port(site.far, "eth0") as far:
        far.send(Ether(src=FAR, dst=OWN) / udp())
        assert right.next(1) == left.next(1) == [bytes(udp())]


def test_sniffing_with_a_filter(kernel_site: Site) -> None:
    site = kernel_site
    assert site.command("doctor", "tun0").stdout.count("--hook tc")
    site.load("FromDevice(tun0, BPF_FILTER 'udp port 9', FORCE_IP true) -> c :: Counter -> Discard;", hook="xdp")
    with Port(site.left) as sender:
        sender.send(IP(src="10.0.0.2", dst="10.0.0.1") / ICMP())
        sender.send(udp())
        eventually(lambda: site.read("c.count") == "1")


def test_traced_packets_of_l3_devices(site: Site) -> None:
    site.load(ROUTER)
    words, output = ("trace", NAME, "udp port 9", "-c", "1"), {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with commands.start(site.router, *words, text=True, **output) as tracing, Port(site.left) as sender:

        def seen() -> bool:
            sender.send(IP(src="10.0.0.2", dst="10.0.1.2") / ICMP())
            sender.send(udp())
            return tracing.poll() is not None

        eventually(seen)
        text = tracing.communicate()[0]
    assert "c0" in text and "ttl 64 -> 63" in text, text


def test_xdp_is_refused_where_the_device_is_read_and_where_it_sends(kernel_site: Site) -> None:
    refused = kernel_site.load("FromDevice(tun0) -> Queue -> ToDevice(tun1);", hook="xdp", check=False)
    assert refused.returncode == 1
    assert refused.stderr.count("error:") == 2 and "on TC" in refused.stderr
    assert ":1:1: error: packets of tun0 have no Ethernet header" in refused.stderr
    assert ":1:30: error: packets of tun1 have no Ethernet header" in refused.stderr
    assert not RunFolder.of(NAME).exists()


def test_a_router_in_the_place_of_another_and_nothing_after_it(any_site: Site) -> None:
    site = any_site
    def traces() -> list[str]:
        return [site.router.run("tc", what, "show", "dev", device).stdout for what in ("qdisc", "filter") for device in ("tun0", "tun1")]

    before = [*traces(), site.router.ip("-o", "link").count("\n")]
    site.load(ROUTER)
    with subprocess.Popen(site.left.command("ping", "-q", "-i0.01", "-c200", "10.0.1.2"), stdout=subprocess.PIPE, text=True) as pinging:
        for _ in range(2):
            site.load(ROUTER, "--replace")
        assert " 0% packet loss" in pinging.communicate()[0]
    site.command("unload", NAME)
    assert [*traces(), site.router.ip("-o", "link").count("\n")] == before
    assert ping(site.left, "10.0.0.1", 1) == 1, "Linux has its device back"

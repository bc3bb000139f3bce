"""What Linux sends by a device, taken by a router on TC: its own packets and those that it forwards, but not the router's."""

import subprocess
from collections.abc import Callable, Iterator

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw
from tests import commands
from tests.axes import axis
from tests.load.lan import NAME, PREPARE, Lan, transfer
from tests.waiting import eventually, received

from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort, ping

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "tc")

#: Who runs the elements: the kernel path, by TCX links and by classifiers, or the runtime alone.
RUNTIME = "runtime"
HOST, LEFT, RIGHT = "02:00:00:00:00:10", "02:00:00:00:00:02", "02:00:00:00:01:02"


class Host(Lan):
    """The router's machine is a host, too."""

    def __init__(self, net: Network, how: str):
        super().__init__(net, "tcx" if how == RUNTIME else how)
        self.by_runtime = how == RUNTIME
        self._words = ("--no-kernel",) if self.by_runtime else ()

    def take(self, configuration: str, *words: str) -> None:
        self.load(*self._words, *words, "-e", configuration)


@pytest.fixture(params=axis(*PREPARE, RUNTIME))
def host(request, net: Network) -> Iterator[Host]:
    made = Host(net, request.param)
    yield made
    made.unload()


@pytest.fixture
def host_by_tcx(net: Network) -> Iterator[Host]:
    made = Host(net, "tcx")
    yield made
    made.unload()


#: What has an IP header gets the DSCP of Expedited Forwarding (RFC 3246); ARP passes.
MARKED = """
FromOutbound(eth0) -> o :: Counter -> c :: Classifier(12/0800, -);
c[0] -> MarkIPHeader(14) -> {} -> SetIPDSCP(46) -> out :: Queue -> ToDevice(eth0);
c[1] -> out;
"""


@pytest.mark.parametrize("check", ["Null", "CheckTCPHeader"], ids=["joined segments", "each with its checksum"])
def test_tcp_that_linux_sends_arrives_whole_and_changed(host: Host, check: str) -> None:
    before = host.traces()
    host.take(MARKED.format(check))
    with RawPort(host.left, "eth0") as seen:
        transfer(host.router, host.left, "10.0.0.2")
        frames = [Ether(frame) for frame in received(seen, lambda frames: len(frames) > 3)]
    fields = {packet[IP].tos for packet in frames if TCP in packet}
    assert fields == {46 << 2}, "each frame is changed, the first one, too"
    assert host.read("o.count") >= (4 << 20) // 1460, "each segment is counted"
    assert "nothing was dropped" in host.drops()
    host.unload()
    assert host.traces() == before
    assert ping(host.router, "10.0.0.2", 1) == 1


def udp(number: int) -> bytes:
    return bytes(Ether(src=RIGHT, dst=LEFT) / IP(src="10.0.1.2", dst="10.0.0.2", id=number) / UDP(sport=1, dport=9) / Raw(b"text"))


def ours(frames: list[bytes]) -> list[int]:
    """The numbers of the packets among these frames that udp() has made."""
    packets = [Ether(frame) for frame in frames]
    return sorted(packet[IP].id for packet in packets if UDP in packet and packet[UDP].dport == 9)


#: Ways by which the router sends by eth0 itself: from another device, as clones, and from the runtime.
OWN = {
    "a redirect": "FromDevice(eth1) -> Queue -> ToDevice(eth0);",
    "clones": "FromDevice(eth1) -> t :: Tee(2) -> Queue -> ToDevice(eth0); t[1] -> Queue -> ToDevice(eth1);",
    "the runtime": "FromDevice(eth1) -> Queue -> Unqueue -> Queue -> ToDevice(eth0);",
}


@pytest.mark.parametrize("how", axis(*OWN))
def test_what_the_router_sends_is_not_taken(host: Host, how: str) -> None:
    host.take(f"FromOutbound(eth0) -> c :: Classifier(12/0800, -) -> o :: Counter -> Discard; c[1] -> Discard; {OWN[how]}")
    with RawPort(host.left, "eth0") as left, RawPort(host.right, "eth0") as right:
        for number in range(1, 6):
            right.send(udp(number))
        arrived = ours(received(left, lambda frames: len(ours(frames)) >= 5))
    assert arrived == [*range(1, 6)]
    assert host.read("o.count") == 0
    assert ping(host.router, "10.0.0.2", 1, wait=1) == 0, "what Linux sends is discarded"
    assert host.read("o.count") > 0


def test_what_linux_forwards_is_taken(host: Host) -> None:
    """Also where the router has seen it on another device, and has sent copies of it by this one, with another address."""
    host.router.sysctl("net.ipv4.ip_forward", "1")
    host.take(
        "FromDevice(eth1) -> t :: Tee(2) -> EtherRewrite(02:00:00:00:00:0c, 02:00:00:00:00:0d) -> q :: Queue -> ToDevice(eth0);"
        "t[1] -> ToHost;"
        "FromOutbound(eth0) -> o :: Counter -> q;"
    )
    transfer(host.right, host.left, "10.0.0.2")
    transfer(host.left, host.right, "10.0.1.2")
    assert host.read("o.count") >= (4 << 20) // 1460
    assert "nothing was dropped" in host.drops()


def test_copies_of_what_linux_sends(host: Host) -> None:
    """By the device itself, and by another."""
    host.take("FromOutbound(eth0) -> o :: Counter -> t :: Tee(2) -> Queue -> ToDevice(eth0); t[1] -> Queue -> ToDevice(eth1);")
    with RawPort(host.right, "eth0") as mirror:
        assert ping(host.router, "10.0.0.2", 3) == 3
        copies = received(mirror, lambda frames: len(frames) >= 3)
    assert len([frame for frame in copies if IP in Ether(frame) and Ether(frame)[IP].dst == "10.0.0.2"]) == 3
    assert host.read("o.count") >= 3, "with requests of ARP"


def test_linux_receives_what_it_has_sent(host: Host) -> None:
    """ToHost: as if the device had received it."""
    host.take("FromOutbound(eth0) -> c :: Classifier(12/0806, -) -> Queue -> ToDevice(eth0); c[1] -> ToHost(eth0);")
    host.router.neighbour("eth0", "10.0.0.2", LEFT)
    with RawPort(host.router, "eth0") as back, RawPort(host.left, "eth0") as left:
        assert ping(host.router, "10.0.0.2", 1, wait=1) == 0
        (frame,) = received(back, lambda frames: bool(frames))
        assert left.receive(0.3) is None
    assert (Ether(frame).src, Ether(frame)[IP].dst) == (HOST, "10.0.0.2")


def test_an_answer_goes_back_to_linux(host: Host) -> None:
    """An address that exists in the router alone: what Linux sends there is answered before it leaves."""
    host.take(
        "FromOutbound(eth0) -> c :: Classifier(12/0806 20/0001 38/0a00004d, 12/0800 30/0a00004d, -);"
        "c[0] -> ARPResponder(10.0.0.77 02:00:00:00:00:77) -> SetPacketType(HOST) -> ToHost(eth0);"
        f"c[1] -> Strip(14) -> CheckIPHeader -> ICMPPingResponder -> EtherEncap(0x0800, 02:00:00:00:00:77, {HOST})"
        " -> SetPacketType(HOST) -> ToHost(eth0);"
        "c[2] -> Queue -> ToDevice(eth0);"
    )
    with RawPort(host.left, "eth0") as left:
        assert ping(host.router, "10.0.0.77", 2) == 2
        assert left.receive(0.3) is None
    assert ping(host.router, "10.0.0.2", 1) == 1


@pytest.mark.whole
def test_a_router_in_the_place_of_another(host: Host) -> None:
    """It begins to take what Linux sends, goes on with that, and ends: without a packet lost, though the runtime may have to see each of
    them, which isn't ready when programs come to a new device, and is another one when they go."""
    before, forwarding = host.traces(), "FromDevice(eth0) -> i :: Counter -> ToHost;"
    host.take(forwarding)
    with subprocess.Popen(host.router.command("ping", "-q", "-i0.01", "-c300", "10.0.0.2"), stdout=subprocess.PIPE, text=True) as pinging:
        for text in (MARKED.format("Null"), MARKED.format("Null") + forwarding, MARKED.format("Paint(1)") + forwarding):
            host.take(text, "--replace")
        eventually(lambda: host.read("o.count") > 0)
        host.take(forwarding + "Idle -> out :: Queue -> ToDevice(eth0);", "--replace")  # with what waits there
        assert " 0% packet loss" in pinging.communicate()[0]
    host.unload()
    assert host.traces() == before


def test_an_element_gets_other_arguments(host: Host) -> None:
    """The programs at the egress, too, are replaced."""
    host.take("FromOutbound(eth0) -> r :: RandomSample(DROP 0) -> f :: SetPacketType(HOST) -> Queue -> ToDevice(eth0);")
    assert ping(host.router, "10.0.0.2", 1) == 1
    host.command("write", "-r", NAME, "r.drop_prob", "1")
    assert ping(host.router, "10.0.0.2", 1, wait=1) == 0
    host.command("write", "-r", NAME, "r.drop_prob", "0")
    assert ping(host.router, "10.0.0.2", 1) == 1


def test_packets_are_traced(host: Host) -> None:
    host.take(MARKED.format("Null"))
    words = ("trace", NAME, "icmp", "-c", "1")
    with commands.start(host.router, *words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as tracing:
        eventually(lambda: ping(host.router, "10.0.0.2", 1) and tracing.poll() is not None)
        text = tracing.communicate()[0]
    assert "from eth0 outbound" in text and "ip tos 0x00 -> 0xb8" in text and "sent by eth0" in text, text


def other(host: Host, configuration: str) -> subprocess.CompletedProcess:
    return host.command("load", "-n", f"{NAME}-other", "--hook", "tc", "-e", configuration, check=False)


@pytest.fixture
def beside(host: Host) -> Iterator[Callable[[str], subprocess.CompletedProcess]]:
    yield lambda configuration: other(host, configuration)
    host.command("unload", f"{NAME}-other", check=False)


@pytest.mark.whole
def test_routers_of_the_two_directions(host: Host, beside: Callable[[str], subprocess.CompletedProcess]) -> None:
    """In each of them there is one router. Both send from their runtimes, by a queue that has one AF_XDP socket, and neither takes what the
    other one sends."""
    host.take("FromDevice(eth0) -> i :: Counter -> ToHost; FromDevice(eth1) -> Queue -> Unqueue -> Queue -> ToDevice(eth0);")
    text = "FromOutbound(eth0) -> o :: Counter -> Queue -> Unqueue -> Queue -> ToDevice(eth0);"
    done = beside(text)
    assert done.returncode == 0, done.stderr
    assert ping(host.router, "10.0.0.2", 2) == 2
    assert host.read("i.count") >= 2
    before = int(host.command("read", "-r", f"{NAME}-other", "o.count").stdout)
    with RawPort(host.left, "eth0") as left, RawPort(host.right, "eth0") as right:
        for number in range(1, 6):
            right.send(udp(number))
        assert ours(received(left, lambda frames: len(ours(frames)) >= 5)) == [*range(1, 6)]
    assert int(host.command("read", "-r", f"{NAME}-other", "o.count").stdout) == before >= 2
    resumed = host.command("load", "--resume", "-n", f"{NAME}-other", "--hook", "tc", "-e", text)
    assert resumed.stderr == f"{NAME}-other runs already\n", "it has lost no device"
    third = host.command("load", "-n", f"{NAME}-third", "--hook", "tc", "-e", text, check=False)
    assert third.returncode == 1
    assert f"eth0 outbound is used by the router {NAME}-other" in third.stderr


def test_what_can_not_be_is_refused(host_by_tcx: Host) -> None:
    def refused(configuration: str, hook: str = "tc") -> str:
        done = host_by_tcx.command("load", "-n", NAME, "--hook", hook, "-e", configuration, check=False)
        assert done.returncode == 1
        return done.stderr

    taking = "FromOutbound(eth0) -> Queue -> ToDevice(eth0);"
    assert ":1:1: error: 'FromOutbound@1' takes packets of eth0 outbound, which XDP doesn't see\nhint: --hook tc" in refused(taking, "xdp")
    assert "'FromOutbound@1' receives from eth0 outbound already" in refused(taking + "FromOutbound(eth0) -> Discard;")
    assert "'h' makes fake0, and gets what Linux sends there" in refused("h :: FromHost(fake0) -> Discard; FromOutbound(fake0) -> Discard;")
    assert "there is no network device eth7" in refused("FromOutbound(eth7) -> Discard;")
    assert "such names have no spaces" in refused("FromDevice('eth0 outbound') -> Discard;")


def test_a_device_has_another_name(host_by_tcx: Host) -> None:
    """The process finds it when it is started again, too."""
    host = host_by_tcx
    host.load("-e", "FromOutbound(wan) -> o :: Counter -> Queue -> ToDevice(wan);", "wan=eth0")
    assert ping(host.router, "10.0.0.2", 1) == 1
    assert host.read("o.count") >= 1
    assert "wan=eth0" in host.command("list").stdout
    again = ("--replace", "-e", "FromOutbound(wan) -> o :: Counter -> Queue -> ToDevice(wan);", "wan=eth0")
    told = host.load("--dry-run", *again).stdout
    assert "eth0 outbound (the configuration's wan outbound): its program is replaced" in told and told.count("replaced") == 1, told
    host.load(*again)
    assert ping(host.router, "10.0.0.2", 1) == 1


def test_a_tagged_frame_as_sent_by_a_packet_socket(host: Host) -> None:
    """What programs send past Linux's protocols is taken as well."""
    host.take("FromOutbound(eth0) -> o :: Counter -> Queue -> ToDevice(eth0);")
    frame = bytes(Ether(src=HOST, dst=LEFT) / Dot1Q(vlan=9) / IP(dst="10.0.0.2") / UDP(dport=9) / Raw(b"tagged"))
    with RawPort(host.left, "eth0") as left, RawPort(host.router, "eth0") as sender:
        sender.send(frame)
        assert frame in received(left, lambda frames: frame in frames)
    assert host.read("o.count") >= 1

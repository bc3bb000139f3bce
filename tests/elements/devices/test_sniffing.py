"""FromDevice with SNIFFER true: Linux goes on as without the router, which gets copies of what is chosen."""

import os
from contextlib import ExitStack

import pytest
from scapy.layers.inet import ICMP, IP
from scapy.layers.l2 import Ether
from tests.axes import axis
from tests.load.tagging import tag_what_is_sent
from tests.waiting import eventually

from clickbpf.testing.traffic import RawPort, ping

live = pytest.mark.needs("root", "ip", "tc", "ping", "clang-19")


class Box:
    """A host, 10.0.0.1, on whose eth0 a router sniffs; `far` is 10.0.0.2."""

    def __init__(self, network, stack: ExitStack):
        self.here, self.far = network.namespace("box"), network.namespace("far")
        network.veth(self.here, "eth0", self.far, "eth0")
        self.here.address("eth0", "10.0.0.1/24")
        self.far.address("eth0", "10.0.0.2/24")
        self.here.neighbour("eth0", "10.0.0.2", self.far.mac("eth0"))
        self.far.neighbour("eth0", "10.0.0.1", self.here.mac("eth0"))
        self._stack, self._name = stack, f"sniffing{os.getpid()}"

    def load(self, text: str, *how: str) -> None:
        self.here.clickbpf("load", "-n", self._name, *how, "-e", text)
        if "--replace" not in how:
            self._stack.callback(self.here.clickbpf, "unload", self._name)

    def read(self, handler: str) -> str:
        return self.here.clickbpf("read", "--router", self._name, handler).strip()

    def shows(self, handler: str, value: str) -> bool:
        return eventually(lambda: self.read(handler) == value, 20)

    def pings(self) -> int:
        return ping(self.far, "10.0.0.1", 3)


@pytest.fixture
def box(network):
    with ExitStack() as stack:
        yield Box(network, stack)


PINGS = (
    "-> MarkIPHeader(14) -> i :: IPClassifier(icmp type echo, icmp type echo-reply, -) -> asked :: Counter -> Discard;"
    "i[1] -> answered :: Counter -> Discard; i[2] -> Discard;"
)


@live
@pytest.mark.parametrize("hook", axis("xdp", "tc"))
@pytest.mark.parametrize("arguments, answers", [("SNIFFER true", "0"), ("OUTBOUND true", "3")])
def test_linux_gets_the_packets_too(box, hook, arguments, answers):
    box.load(f"FromDevice(eth0, {arguments}) {PINGS}", "--hook", hook)
    assert box.pings() == 3
    assert box.shows("asked.count", "3")
    assert box.shows("answered.count", answers)


@live
@pytest.mark.whole
def test_linux_sends_where_it_receives_nothing(box):
    """Requests of the other side are the router's alone; copies of Linux's own come as well."""
    box.load(f"FromDevice(eth0, SNIFFER false, OUTBOUND true) {PINGS}")
    assert box.pings() == 0
    assert box.shows("asked.count", "3")
    assert ping(box.here, "10.0.0.2", 1, wait=0.5) == 0
    assert box.shows("asked.count", "4")
    assert box.shows("answered.count", "1")


@live
def test_only_what_is_chosen(box):
    box.load(
        'FromDevice(eth0, BPF_FILTER "icmp or ether proto 0x9000") -> a :: Counter -> Discard;'
        "FromDevice(eth0, PROTOCOL 0x9000, SNAPLEN 20) -> b :: Counter -> Discard"
    )
    with RawPort(box.far, "eth0") as port:
        for kind in (0x9000, 0x9001):
            port.send(bytes(Ether(dst=box.here.mac("eth0"), type=kind)) + bytes(46))
    assert box.pings() == 3
    assert box.shows("a.count", "4")
    assert box.shows("b.count", "1")
    assert box.read("b.byte_count") == "20"


@live
def test_frames_are_as_on_the_wire(box, tmp_path):
    """With the tag that Linux has taken out, and with the packet type."""
    box.load(
        "FromDevice(eth0, SNIFFER true) -> c :: Classifier(12/8100002a9000, 12/9001, -) -> tagged :: Counter -> Discard;"
        "c[1] -> h :: HostEtherFilter(02:00:00:00:00:77) -> Discard; h[1] -> foreign :: Counter -> Discard; c[2] -> Discard"
    )
    tag_what_is_sent(box.far, "eth0", tmp_path)
    with RawPort(box.far, "eth0") as port:
        port.send(bytes(Ether(dst=box.here.mac("eth0"), type=0x9000)) + bytes(46))
        port.send(bytes(Ether(dst="02:00:00:00:00:78", type=0x9001)) + bytes(46))
    assert box.shows("tagged.byte_count", "64")
    assert box.shows("foreign.count", "1")


@live
def test_what_is_too_long_is_cut_and_counted(box):
    """Frames of the loopback device may be longer than 65536 bytes; Pad makes them as long again."""
    box.here.ip("link", "set", "lo", "up")
    box.load(
        "FromDevice(lo, PROTOCOL 0x9000) -> cut :: Counter -> Pad -> whole :: Counter -> Discard;"
        "FromDevice(lo, PROTOCOL 0x9000, SNAPLEN 100) -> few :: Counter -> Pad -> all :: Counter -> Discard"
    )
    with RawPort(box.here, "lo") as port:
        port.send(bytes(Ether(type=0x9000)) + bytes(65536))
    for counter, length in (("cut", 65536), ("whole", 65550), ("few", 100), ("all", 65550)):
        assert box.shows(f"{counter}.byte_count", str(length))


@live
@pytest.mark.whole
def test_a_swap_between_looking_and_taking(box):
    looks, takes = f"FromDevice(eth0, SNIFFER true) {PINGS}", "FromDevice(eth0) -> c :: Counter -> Discard"
    box.load(looks)
    assert box.pings() == 3
    box.load(takes, "--replace")
    assert box.pings() == 0
    assert int(box.read("c.count")) >= 3
    box.load(looks, "--replace")
    assert box.pings() == 3
    assert box.shows("asked.count", "3")


def test_devices_that_are_memory_bring_nothing(router):
    r = router("FromDevice(eth0, SNIFFER true) -> s :: Counter -> Discard; FromDevice(eth1) -> Queue -> ToDevice(eth1)")
    r.send("eth1", bytes(Ether() / IP() / ICMP()))
    assert r.read("s.count") == "0"


@pytest.mark.parametrize("length, extra", [(60, 40), (20, 0), (14, 0)])
def test_what_snaplen_cuts_is_counted(router, length, extra):
    r = router("FromDevice(eth0, SNAPLEN 20) -> few :: Counter -> Pad -> Queue -> ToDevice(eth1)")
    frame = bytes(Ether() / IP() / ICMP() / bytes(100))[:length]
    r.forwards("eth0", frame, "eth1", frame[:20] + bytes(extra))
    assert r.read("few.byte_count") == str(length - extra)


@pytest.mark.whole
def test_filters_are_compiled_in_bounded_time(refused_router):
    """Beyond that libpcap's optimiser takes seconds."""
    said = refused_router(f'FromDevice(eth0, BPF_FILTER "port {" or ".join(map(str, range(1, 200)))}") -> Discard')
    assert "instructions, and may have 8192" in said
    said = refused_router(f'FromDevice(eth0, BPF_FILTER "{"ip or " * 2000} ip") -> Discard')
    assert "the filter has 12003 characters, and may have 4096" in said


MISTAKES = {
    # What is only read asks no resolver.
    'FromDevice(eth0, BPF_FILTER "tcp and host www.example.com") -> Discard':
        "the filter has the name 'www.example.com', and names aren't looked up",
    'FromDevice(eth0, BPF_FILTER "port of call") -> Discard': "the filter 'port of call' can't be used",
    "FromDevice(eth0, SNIFFER false, PROTOCOL 6) -> Discard": "SNIFFER is false",
}

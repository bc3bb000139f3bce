"""Tracing a loaded router: the reports, and that the router behaves the same before, meanwhile and afterwards."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.utils import PcapNgReader
from tests import commands
from tests.axes import axis
from tests.load.flooding import numbered
from tests.load.traces import programs
from tests.waiting import eventually, received

from clickbpf.cli import output
from clickbpf.load.access.access import Access
from clickbpf.load.files.places import RunFolder
from clickbpf.load.process import service
from clickbpf.testing.netns import Network
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "clang-19", "ip", "ethtool", "tc")

NAME = f"trace{os.getpid()}"
#: Frames of the Ethernet type for experiments (IEEE 802) go through, others are dropped.
ROUTER = """
in :: FromDevice(eth0) -> c :: Counter -> kind :: Classifier(12/88b5, -);
kind[0] -> paint :: Paint(3) -> strip :: Strip(14) -> again :: Unstrip(14) -> q :: Queue -> out :: ToDevice(eth1);
kind[1] -> [0] drop :: Discard;
FromDevice(eth1) -> Queue -> ToDevice(eth0);
"""


class Line:
    """A router between two hosts that send nothing of their own accord."""

    def __init__(self, net: Network, *options: str, name: str = NAME):
        self.left, self.router, self.right = (net.namespace(label) for label in ("left", "router", "right"))
        self.options, self.name = options, name
        net.veth(self.router, "eth0", self.left, "eth0")
        net.veth(self.router, "eth1", self.right, "eth0")

    def command(self, *words: str) -> str:
        return commands.run(self.router, *words, check=True).stdout

    def load(self, *words: str) -> None:
        self.command("load", "-n", self.name, *self.options, *words)

    def trace(self, *words: str) -> subprocess.Popen:
        """A trace that has begun."""
        ends = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = commands.start(self.router, "trace", self.name, "--json", *words, **ends)
        has_said(process, f"tracing {self.name}")
        return process

    def programs(self) -> list[int]:
        return programs(self.name)


def has_said(process: subprocess.Popen, text: str) -> None:
    """Returns once a command has said so, perhaps after a line that it compiles."""
    while text not in (line := process.stderr.readline()):
        assert line.startswith("compiling a build of "), line


def frame(number: int, kind: bytes = b"\x88\xb5") -> bytes:
    return b"\x02\0\0\0\0\x99\x02\0\0\0\0\x02" + kind + number.to_bytes(4, "big") + bytes(42)


def told(process: subprocess.Popen) -> list[dict]:
    """What an ended trace has said of its packets."""
    said, complaints = process.communicate(timeout=60)
    assert process.returncode == 0, complaints
    return [json.loads(line) for line in said.splitlines()]


def elements(way: dict) -> list[tuple[str, int]]:
    return [(step["element"], step["port"]) for step in way["steps"]]


def changes(way: dict) -> dict[str, list[str]]:
    return {step["element"]: step["changes"] for step in way["steps"]}


@pytest.fixture(scope="module", params=axis(("--hook", "xdp"), ("--hook", "tc"), ("--no-kernel",)), ids=["xdp", "tc", "runtime"])
def line(request) -> Iterator[Line]:
    """With ROUTER, which each test leaves loaded."""
    with Network() as net:
        made = Line(net, *request.param)
        made.load("-e", ROUTER)
        yield made
        made.command("unload", NAME)


def test_a_line_for_each_element(line: Line) -> None:
    """Of a packet that leaves and of one that is dropped; not of those that weren't asked for."""
    process = line.trace("ether proto 0x88b5 or ether proto 0x88b6", "-c", "2")
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:
        for number, kind in enumerate((b"\x88\xb7", b"\x88\xb5", b"\x88\xb6")):
            left.send(frame(number, kind))
        assert right.receive(10)[:18] == frame(1)[:18]
        forwarded, dropped = sorted(told(process), key=lambda way: len(way["steps"]), reverse=True)
    names = ["in", "c", "kind", "paint", "strip", "again", "q", "out"]
    assert elements(forwarded) == [(name, 0) for name in names]
    assert changes(forwarded) == {
        **dict.fromkeys(names, []),
        "paint": ["paint 0 -> 3"],
        "strip": ["14 bytes off the front"],
        "again": ["14 bytes in front (02:00:00:00:00:02 > 02:00:00:00:00:99, type 0x88b5)"],
    }
    assert forwarded["ends"] == ["sent by eth1, 60 bytes"]
    assert elements(dropped) == [(name, 0) for name in ("in", "c", "kind", "drop")]
    assert dropped["ends"][0].startswith("dropped by drop: DISCARDED")
    # Without a kernel path there is still what hands packets over, in the place of FromDevice.
    elsewhere = {step["where"] for way in (forwarded, dropped) for step in way["steps"] if step["element"] != "in"}
    assert elsewhere == ({"runtime"} if "--no-kernel" in line.options else {"kernel"})


def test_what_it_waits_for(line: Line) -> None:
    """A filter is new to the compiler, which takes a while."""
    ends = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    process = commands.start(line.router, "trace", NAME, "ether proto 0x88b5 and len > 20", prepare=impatient, **ends)
    assert process.stderr.readline().startswith(f"compiling a build of {NAME} ")
    has_said(process, f"tracing {NAME}")
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0


def impatient() -> None:
    output.MOMENT = 0.0


def test_drops_alone_flows_and_costs(line: Line) -> None:
    """Two of three packets are dropped; the costs are those of the elements that they meet."""
    ends = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    kinds, kernel = (b"\x88\xb5", b"\x88\xb6", b"\x88\xb6"), "--no-kernel" not in line.options
    with RawPort(line.left, "eth0") as left:
        process = line.trace("--drops", "-c", "2")
        for number, kind in enumerate(kinds):
            left.send(frame(number, kind))
        assert [way["ends"][0].partition(":")[0] for way in told(process)] == ["dropped by drop"] * 2
        for words in (("flows", NAME, "-d", "4"), ("top", NAME, "--cost", "-d", "4")):
            process = commands.start(line.router, *words, "--json", **ends)
            while not process.stderr.readline().startswith(("watching", "tracing")):
                assert process.poll() is None
            for number, kind in enumerate(kinds):
                left.send(frame(number, kind))
            found = json.loads(process.communicate(timeout=60)[0])
            if words[0] == "flows":
                assert {(each["flow"], each["packets"], each["ended"]) for each in found} == {
                    ("type 0x88b5", 1, "sent by eth1"),
                    ("type 0x88b6", 2, "dropped by drop: DISCARDED"),
                }
            else:
                costs = {each["element"]: each for each in found if each["runs"] == ("kernel" if kernel else "runtime")}
                assert {name: each["packets"] for name, each in costs.items() if name in ("c", "paint", "drop")} == {
                    "c": 3, "paint": 1, "drop": 2
                }  # fmt: skip
                assert all(costs[name]["nanoseconds"] is not None for name in ("c", "kind", "paint", "strip"))


def test_no_packet_is_lost_and_nothing_is_forgotten(line: Line) -> None:
    """Numbered frames cross the router all the time while tracing begins and ends."""
    access, counts = Access(NAME), []
    earlier = int(access.read("c.count"))
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:
        with numbered(left, frame) as sent:
            for _ in range(3):
                counts.append(int(access.read("c.count")))
                assert len(told(line.trace("-c", "5"))) == 5
        arrived = [int.from_bytes(data[14:18], "big") for data in received(right, lambda found: len(found) >= len(sent))]
    assert arrived == sent
    counts.append(int(access.read("c.count")))
    assert counts == sorted(counts) and counts[-1] - earlier == len(sent)
    assert "in\n" in access.read("list") and len(access.elements()) == 12


def test_the_plain_build_comes_back(line: Line) -> None:
    """However the command ends."""
    plain = line.programs()
    for end in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        process = line.trace()
        assert line.programs() != plain
        process.send_signal(end)
        process.communicate(timeout=60)
        assert eventually(lambda: line.programs() == plain)
    told_of = line.command("list", "--json")
    assert NAME in told_of


def test_a_runtime_that_dies_meanwhile_leaves_it_to_the_next(line: Line) -> None:
    plain, folder = line.programs(), RunFolder.of(NAME)
    process = line.trace()
    os.kill(service.alive(folder), signal.SIGKILL)
    assert eventually(lambda: not service.alive(folder))
    process.communicate(timeout=60)
    line.command("load", "--runtime-only", NAME)
    assert line.programs() == plain
    with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:
        left.send(frame(7))
        assert right.receive(10)[:18] == frame(7)[:18]


def test_another_router_ends_it(line: Line) -> None:
    process = line.trace()
    line.load("--replace", "-e", ROUTER)
    assert told(process) == []
    assert len(told_soon(line)) == 1


def told_soon(line: Line) -> list[dict]:
    process = line.trace("-c", "1")
    with RawPort(line.left, "eth0") as left:
        left.send(frame(1))
        return told(process)


def test_what_is_refused(line: Line) -> None:
    for words, complaint in (
        (("ip and",), "the filter 'ip and' can't be used: "),
        (("host elsewhere",), "the filter has the name 'elsewhere', and names aren't looked up"),
        ((), "is being traced already"),
    ):
        process = line.trace("-c", "1") if not words else None
        done = commands.run(line.router, "trace", NAME, *words)
        assert done.returncode == 1
        assert complaint in done.stderr
        if process:
            process.terminate()
            process.wait()


@pytest.mark.whole
def test_the_ip_router(net: Network) -> None:
    """The sixteen elements that its paper counts, and what RFC 1812 has a router change: TTL, header checksum, link addresses."""
    line = Line(net, name=f"{NAME}-ip")
    mac = {"eth0": "02:00:00:00:00:10", "eth1": "02:00:00:00:01:10"}
    line.load("configs/iprouter.click", "ADVERTISE=false", "MTU0=1500", "MTU1=1000")  # as tests/demo, which has it compiled
    try:
        datagram = Ether(src="02:00:00:00:00:02", dst=mac["eth0"]) / IP(src="10.0.0.2", dst="10.0.1.2", ttl=64, id=1) / UDP()
        before = IP(bytes(datagram[IP]))
        after = IP(bytes(datagram[IP]))
        after.ttl, after.chksum = 63, None
        after = IP(bytes(after))
        with RawPort(line.left, "eth0") as left, RawPort(line.right, "eth0") as right:
            answer_arp(line, left, right, bytes(datagram))
            process = line.trace("udp and dst host 10.0.1.2", "-c", "1")
            left.send(bytes(datagram).ljust(60, b"\0"))
            (way,) = told(process)
    finally:
        line.command("unload", line.name)
    sixteen = (
        "FromDevice Classifier Paint Strip CheckIPHeader GetIPAddress StaticIPLookup DropBroadcasts PaintTee IPGWOptions FixIPSrc "
        "DecIPTTL IPFragmenter ARPQuerier Queue ToDevice"
    )
    assert " ".join(step["class"] for step in way["steps"]) == sixteen
    assert {step["where"] for step in way["steps"]} == {"kernel"}
    done = {step["class"]: step["changes"] for step in way["steps"]}
    assert done["DecIPTTL"] == ["ip ttl 64 -> 63", f"ip checksum {before.chksum:#06x} -> {after.chksum:#06x}"]
    assert done["Strip"] == ["14 bytes off the front"]
    assert done["ARPQuerier"] == [f"14 bytes in front ({mac['eth1']} > 02:00:00:00:01:02, type 0x0800)"]
    assert way["ends"] == ["sent by eth1, 42 bytes"]


def answer_arp(line: Line, left: RawPort, right: RawPort, datagram: bytes) -> None:
    """Let the router learn its neighbour's address."""
    from scapy.layers.l2 import ARP

    left.send(datagram.ljust(60, b"\0"))
    asked = Ether(next(data for data in iter(lambda: right.receive(10), None) if data[12:14] == b"\x08\x06"))
    answer = ARP(op=2, hwsrc="02:00:00:00:01:02", psrc="10.0.1.2", hwdst=asked[ARP].hwsrc, pdst=asked[ARP].psrc)
    right.send(bytes(Ether(src="02:00:00:00:01:02", dst=asked.src) / answer).ljust(60, b"\0"))
    assert next(data for data in iter(lambda: right.receive(10), None) if data[12:14] == b"\x08\x00")


def tapped(line: Line, path: str, *words: str) -> subprocess.Popen:
    """A tap that has begun."""
    process = commands.start(line.router, "tap", NAME, *words, "-w", path, stderr=subprocess.PIPE, text=True)
    has_said(process, f"tapping {NAME}")
    return process


@pytest.mark.parametrize(
    ("place", "length", "kinds"),
    [("paint", 60, [0x88B5]), ("kind[1]", 60, [0x88B6]), ("[0]drop", 60, [0x88B6]), ("strip[0]", 46, [None])],
)
def test_what_is_at_one_place(line: Line, tmp_path, place: str, length: int, kinds: list) -> None:
    path = tmp_path / "tap.pcapng"
    process = tapped(line, str(path), place, "-c", "1")
    with RawPort(line.left, "eth0") as left:
        for number, kind in enumerate((b"\x88\xb6", b"\x88\xb5")):
            left.send(frame(number, kind))
        process.communicate(timeout=60)
    assert process.returncode == 0
    with PcapNgReader(str(path)) as reader:
        packets = reader.read_all()
    assert [len(packet) for packet in packets] == [length]
    assert [packet.type if Ether in packet else None for packet in packets] == kinds


def test_places_that_there_are_not(line: Line) -> None:
    wrong = {"pain": "there is no element 'pain'", "kind[2]": "nothing is connected to output 2 of 'kind'", "[": "is not a port"}
    for place, complaint in wrong.items():
        done = commands.run(line.router, "tap", NAME, place, "-w", "-")
        assert done.returncode == 1
        assert complaint in done.stderr

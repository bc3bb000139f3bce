"""Copies that are changed on their way out, between real devices: exchanged programs, what is given up there, devices that are down."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import if_nametoindex

import pytest
from tests.configs.conftest import Loaded
from tests.configs.test_live_copies import A, B, all_of, frame
from tests.waiting import eventually

from clickbpf.load.devices.links import attached_tc
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

#: Seconds that frames may take on a busy machine, whose polls wait for nothing else to be done.
SOON = 60.0
TC = ("--hook", "tc")
#: Every packet leaves by eth1, changed; in the first late, and also by eth2.
END = "FromDevice(eth1) -> Discard; FromDevice(eth2) -> Discard; FromDevice(eth0) ->"
LATE = f"{END} t :: Tee(3); t[0] -> Queue -> ToDevice(eth2); t[2] -> Strip(2) -> Discard; t[1] ->"
MIRROR = f"{LATE} e :: EtherRewrite({{}}, {B}) -> Queue -> ToDevice(eth1);"
PLAIN = f"{END} e :: EtherRewrite({{}}, {B}) -> Queue -> ToDevice(eth1);"
#: Addresses that packets leave with.
OTHERS = [f"02:00:00:00:0c:{number:02x}" for number in range(6)]


class Cables:
    """A router whose devices eth0 to eth2 are at cables to `ports`."""

    def __init__(self, network, load, folder: Path):
        self.place, self.load, self.folder = network.namespace("router"), load, folder
        far = network.namespace("wires")
        for number in range(3):
            network.veth(self.place, f"eth{number}", far, f"eth{number}")
            for where in (self.place, far):
                where.sysctl(f"net.ipv6.conf.eth{number}.disable_ipv6", "1")
        self.ports = [RawPort(far, f"eth{number}") for number in range(3)]

    def written(self, text: str) -> Path:
        path = self.folder / "router.click"
        path.write_text(text)
        return path

    def loaded(self, text: str) -> Loaded:
        return self.load(self.place, self.written(text), options=TC)


    def at_egress(self, device: str) -> int:
        """How many programs see what leaves by a device."""
        return self.place.call(lambda: attached_tc(if_nametoindex(device), "egress"))


@pytest.fixture
def cables(network, load, tmp_path) -> Iterator[Cables]:
    made = Cables(network, load, tmp_path)
    yield made
    for port in made.ports:
        port.close()


class Flow(threading.Thread):
    """Numbered frames into a port until it is ended, 60 at a time, and what has come out of another."""

    def __init__(self, into: RawPort, out: RawPort):
        super().__init__(daemon=True)
        self.into, self.out, self.ended = into, out, threading.Event()
        self.sent, self.received = 0, []

    def run(self) -> None:
        while not self.ended.is_set():
            for _ in range(60 if self.take() else 0):
                self.into.send(frame(A, B, self.sent))
                self.sent += 1
            time.sleep(0.001)

    def take(self) -> bool:
        while (one := self.out.receive()) is not None:
            self.received.append(one)
        return len(self.received) >= self.sent

    def expect(self, source: str) -> None:
        """Wait for a frame with this address among those that come from now on."""
        seen = len(self.received)
        assert eventually(lambda: source in sources(self.received[seen:]), SOON), f"no packet leaves with {source}"


@contextmanager
def flow(into: RawPort, out: RawPort) -> Iterator[Flow]:
    """The frames flow within this context; at its end all have come out."""
    made = Flow(into, out)
    made.start()
    try:
        yield made
    finally:
        made.ended.set()
        made.join()
    assert eventually(made.take, SOON), f"{len(made.received)} of {made.sent} have come out"


def sources(frames: list[bytes]) -> set[str]:
    return {each[6:12].hex(":") for each in frames}


@pytest.mark.whole
def test_no_copy_leaves_unchanged_while_routers_take_turns(cables):
    """Nor does one get lost: routers whose programs change copies late, and others that send by the same device."""
    router = cables.loaded(PLAIN.format(OTHERS[0]))
    with flow(cables.ports[0], cables.ports[1]) as frames:
        for number, text in enumerate([MIRROR, PLAIN, MIRROR, MIRROR, PLAIN], 1):
            router.clickbpf("load", *TC, "--replace", "-n", router.name, str(cables.written(text.format(OTHERS[number]))))
            frames.expect(OTHERS[number])
    assert sources(frames.received) == set(OTHERS)
    assert sorted(int.from_bytes(each[14:60], "big") for each in frames.received) == list(range(frames.sent))


def test_other_arguments_and_traces_change_late_copies_as_others(cables):
    router = cables.loaded(MIRROR.format(OTHERS[0]))
    with flow(cables.ports[0], cables.ports[1]) as frames:
        router.write("e.config", f"{OTHERS[1]}, {B}")
        frames.expect(OTHERS[1])
        traced = router.clickbpf("trace", router.name, "--json", "-c", "900")
    assert sources(frames.received) == set(OTHERS[:2])
    assert sorted(int.from_bytes(each[14:60], "big") for each in frames.received) == list(range(frames.sent))
    before = router.by_runtime()
    cables.ports[0].send(frame(A, B))
    assert sources(all_of(cables.ports[1], 1)) == {OTHERS[1]}
    assert router.by_runtime() == before, "copies are changed in the kernel again"
    ways = [json.loads(line) for line in traced.splitlines()]
    whole = [way for way in ways if {"t", "e"} <= {step["element"] for step in way["steps"]}]
    assert whole, "also the way of the copy that is changed"
    assert {"sent by eth1, 60 bytes", "sent by eth2, 60 bytes"} <= set(whole[0]["ends"])


def test_what_is_given_up_on_the_way_out_goes_on_in_the_runtime(cables):
    """Padding is the runtime's; frames that are long enough don't need it."""
    router = cables.loaded(f"{LATE} c :: Counter -> Pad(100) -> d :: Counter -> Queue -> ToDevice(eth1);")
    frames = [frame(A, B, number) + bytes(200 * (number % 2)) for number in range(200)]
    for each in frames:
        cables.ports[0].send(each)
    assert all_of(cables.ports[2], 200) == frames
    assert sorted(all_of(cables.ports[1], 200)) == sorted(each.ljust(100, b"\0") for each in frames)
    assert [router.read(f"{name}.count") for name in "cd"] == ["200", "200"]
    assert router.dropped("t") == {}


def test_what_a_way_drops_is_its_own_and_what_a_device_does_not_take_is_the_tees(cables):
    router = cables.loaded(f"{LATE} c :: Counter -> k :: CheckLength(80) -> Queue -> ToDevice(eth1); k[1] -> long :: Discard;")
    frames = [frame(A, B, number) + bytes(40 * (number % 2)) for number in range(100)]
    for each in frames:
        cables.ports[0].send(each)
    assert all_of(cables.ports[1], 50) == frames[::2]
    assert (router.read("long.count"), router.dropped("t")) == ("50", {})
    cables.place.ip("link", "set", "eth1", "down")
    for each in frames:
        cables.ports[0].send(each)
    assert all_of(cables.ports[2], 200) == [*frames, *frames]
    assert (router.read("c.count"), router.dropped("t")) == ("200", {"DEVICE": 50})
    assert router.by_runtime() == 0


def test_nothing_else_that_leaves_is_changed(cables):
    """What Linux sends by a device with such a program; and when the router is gone, so is the program."""
    router = cables.loaded(MIRROR.format(OTHERS[0]))
    linux = RawPort(cables.place, "eth1")
    linux.send(frame(A, B, 7))
    linux.close()
    assert all_of(cables.ports[1], 1) == [frame(A, B, 7)]
    assert cables.at_egress("eth1") == 1
    router.clickbpf("load", *TC, "--replace", "-n", router.name, str(cables.written(MIRROR.format(OTHERS[1]))))
    assert cables.at_egress("eth1") == 1, "the program of the router that is gone is gone, too"
    router.clickbpf("load", *TC, "--replace", "-n", router.name, str(cables.written(PLAIN.format(OTHERS[0]))))
    assert cables.at_egress("eth1") == 0

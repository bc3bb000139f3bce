"""Rounds of handovers (bpf/handover.h): the kernel path hands over again, whatever has become of the runtime that took the packets."""

import os
import signal
import struct
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.attached import compiled, running
from tests.cli.conftest import execute, kill
from tests.load.conftest import OWN
from tests.waiting import eventually

from clickbpf.load.files.log import lines
from clickbpf.load.files.places import Pins, RunFolder
from clickbpf.load.files.states import has_stopped
from clickbpf.load.kernel.fds import Map
from clickbpf.load.process import service
from clickbpf.runtime.host import Runtime
from clickbpf.testing.traffic import RawPort, ping

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19", "ping")

#: One way by the runtime, the other by the kernel.
TEXT = (
    "FromDevice(eth0) -> c :: Counter -> q :: Queue -> Unqueue -> Queue -> ToDevice(eth1.7);"
    "FromDevice(eth1.7) -> Counter -> Queue -> ToDevice(eth0);"
)
#: More packets than a round has places for.
FLOOD = 3000
#: struct handed up to its places for single inputs; HANDOVER_COMMON, HANDOVER_SHARES and HANDOVER_OWN.
HEAD, COMMON, SHARES, EACH = struct.Struct("=4I"), 2048 - 64 - 512, 128, 4
AGAIN = "they receive packets again"


@pytest.fixture
def loaded(router):
    """Loads a router of the test's own, which is unloaded at the end."""
    yield lambda *words: execute(router, "load", "-n", OWN, *words, "-e", TEXT)
    execute(router, "unload", OWN)


def use_up_places() -> None:
    """As if the packets that had the places had been lost."""
    with Map.pinned(Pins.of(OWN).map("handed")) as handed:
        size = handed.info().value_size
        for key in handed:
            round, unused, _, _ = HEAD.unpack_from(handed.lookup(key))
            own = struct.pack("=I", (round & 0xFFFFFF) << 8 | EACH) * SHARES
            handed.update(key, (HEAD.pack(round, unused, round, COMMON) + own).ljust(size, b"\0"))


def overruns(router) -> int:
    said = execute(router, "read", "-r", OWN, "q.drop_reasons").out
    return sum(int(line.split()[0]) for line in said.splitlines() if line.endswith("OVERRUN"))


def told_again() -> int:
    """How often the log says that places were given back."""
    return sum(AGAIN in line for line in lines(RunFolder.of(OWN).log))


@pytest.mark.parametrize("hook", ["xdp", "tc"])
def test_no_runtime_leaves_the_places_of_a_round_used_up(net, router, loaded, hook):
    def forwards() -> bool:
        return ping(net.namespaces[1], "10.0.0.2", 2) == 2

    def pid() -> int | None:
        return service.alive(RunFolder.of(OWN))

    done = loaded("--hook", hook)
    assert (done.status, forwards()) == (0, True), done.err

    # Killed with a full socket, under more traffic.
    os.kill(pid(), signal.SIGSTOP)
    with RawPort(net.namespaces[1], "eth0") as port:
        for _ in range(FLOOD):
            port.send(bytes(60))
    kill(pid())
    assert overruns(router) > 0, "the places were used up"
    assert execute(router, "load", "--runtime-only", OWN).status == 0
    assert forwards(), "after kill and --runtime-only"

    # Stopped, under more traffic.
    assert execute(router, "write", "-r", OWN, "stop", "").status == 0
    assert eventually(lambda: has_stopped(RunFolder.of(OWN)))
    use_up_places()
    done = loaded("--resume", "--hook", hook)
    assert (done.status, forwards()) == (0, True), done.err
    assert told_again() == 0

    # For reasons that nobody has thought of: the service finds it.
    use_up_places()
    assert eventually(told_again)
    assert forwards()


@contextmanager
def without_threads(net, router, text: str) -> Iterator[tuple[Runtime, RawPort]]:
    """A router that processes packets when the test says so, at first those that its socket has then, and the port by which they come."""
    with running(router, compiled(text), begin=lambda runtime: None) as attached, RawPort(net.namespaces[1], "eth0") as port:
        yield attached.runtime, port


def test_taking_all_packets_at_once_ends_the_round(net, router):
    """As the change to another kernel path does; here no thread would do anything else. A router that stops drops what it has left."""
    with without_threads(net, router, "FromDevice(eth0) -> q :: Queue(10000) -> Discard(ACTIVE false);") as (runtime, port):
        runtime.settle()  # a socket that was opened begins a round, too

        def waiting() -> int:
            return int(runtime.handlers.read("q", "length"))

        def flood() -> int:
            """How many packets of a flood reach the Queue."""
            before = waiting()
            for _ in range(FLOOD):
                port.send(bytes(60))
            with runtime.locked():
                made = runtime.handlers.made
                runtime.change_handovers(made.hash, made.annotations)
            runtime.settle()
            return waiting() - before

        first = flood()
        assert 1000 < first < FLOOD, "as many as a round has places for"
        assert flood() == first
        for _ in range(10):
            port.send(bytes(60))
        runtime.refuse_waiting()
        assert runtime.drops("FromDevice@1")["NO_RUNTIME"] == 10


def test_no_more_packets_are_taken_in_than_go_on(net, router):
    """Receive livelock (Mogul and Ramakrishnan 1997): under overload packets stay in the socket, and in the end are refused in the kernel,
    before any work was done for them. The Queue has room for few more than a batch."""
    text = "FromDevice(eth0) -> q :: Queue(80) -> Unqueue(BURST 8) -> c :: Counter -> Discard;"
    with without_threads(net, router, text) as (runtime, port):
        for _ in range(1000):
            port.send(bytes(60))
        runtime.settle()
        assert [runtime.handlers.read(*each) for each in (("q", "drops"), ("c", "count"))] == ["0", "1000"]

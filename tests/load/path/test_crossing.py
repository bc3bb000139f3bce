"""The ways by which packets leave the runtime: all frames, in order, and counted, whichever it is; and nothing is left of a ring."""

import json
import os
import random
import threading
import time
from contextlib import AbstractContextManager, ExitStack
from itertools import pairwise

import pytest
from tests import attached as in_process
from tests import commands
from tests.cli.conftest import kill
from tests.waiting import eventually, received

from clickbpf import tun
from clickbpf.compile import Compilation
from clickbpf.crossings import AF_XDP, AUTO, CHOICES, RING
from clickbpf.errors import ClickError
from clickbpf.load.devices.devices import all_devices
from clickbpf.load.files.places import RunFolder
from clickbpf.load.life.inplace import Attached
from clickbpf.load.path import crossing
from clickbpf.load.process.service import alive
from clickbpf.runtime.host import Runtime
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

#: What arrives waits for `gate`, and then leaves as fast as it can.
GATED = "FromDevice(eth0) -> in :: Queue(10000) -> gate :: Unqueue(ACTIVE false, BURST 300) -> out :: Queue(10000) -> to :: ToDevice(eth1);"
THROUGH = "FromDevice(eth0) -> c :: Counter -> q :: Queue(10000) -> to :: ToDevice(eth1);"
#: The same with pauses, so that many leave at once.
JERKY = THROUGH.replace("to ::", "u :: TimedUnqueue(0.005, 300) -> out :: Queue(10000) -> to ::")
#: Nothing arrives.
ALONE = "Idle -> to :: ToDevice(eth1);"
#: Packets on their way that a veth device's ring, 256, has room for, should the processor be another's.
AT_ONCE, MANY = 64, 200
#: The longest frame that native XDP has room for on arrival; longer ones than RECORD_MOST don't fit into a batch.
MTU, RECORD_MOST = 3498, 3328
#: A little more than the pause of a device that has taken no frames, in seconds: PAUSE of userspace/sending.c.
PAUSE = 0.015
#: The packets that an AF_XDP socket has room for: SEND_FRAMES of xsk.h.
SOCKET = 1024


@pytest.fixture
def place(net):
    """A namespace with eth0 and eth1, whose other ends are two more devices, `in0` and `in1`."""
    router, outside = net.namespace("router"), net.namespace("outside")
    for number in (0, 1):
        net.veth(router, f"eth{number}", outside, f"in{number}", mtu=MTU)
    return router, outside


def running(router, crossing: str, text: str, **changes) -> AbstractContextManager[Attached]:
    """The router in this process, all in user space."""
    return in_process.running(router, compiled(text), crossing=crossing, **changes)


def compiled(text: str) -> Compilation:
    return in_process.compiled(text, kernel=False)


def runtime(attached: Attached) -> Runtime:
    return attached.runtime


def replace_by(router, attached: Attached, text: str, crossing: str) -> None:
    old = runtime(attached)
    attached.asked["crossing"] = crossing
    router.call(attached.replace, compiled(text))
    old.close()


def frame(number: int, length: int = 60) -> bytes:
    """A frame with its number, as far as there is room."""
    header = bytes.fromhex("020000000002020000000001") + b"\x90\x00" + number.to_bytes(4, "big")
    return (header + random.Random(number).randbytes(length))[:length]


def pass_together(entry: RawPort, exit: RawPort, attached: Attached, frames: list[bytes]) -> list[bytes]:
    """Send frames that leave as fast as they can when all have arrived; what comes out."""
    runtime(attached).handlers.write("gate", "active", "false")
    for each in frames:
        entry.send(each)
    assert eventually(lambda: read(attached, "in", "length") == len(frames))
    runtime(attached).handlers.write("gate", "active", "true")
    return received(exit, lambda found: len(found) >= len(frames), silence=0.02)


def read(attached: Attached, element: str, handler: str) -> int:
    return int(runtime(attached).handlers.read(element, handler))


@pytest.mark.parametrize("crossing", CHOICES)
def test_frames_of_all_lengths_leave_unchanged_and_in_order(place, crossing):
    router, outside = place
    lengths = [*range(14, 200), 1000, 1513, 1514, RECORD_MOST - 1, RECORD_MOST, RECORD_MOST + 1, MTU + 14, *(60,) * 1000]
    random.Random(1).shuffle(lengths)
    lengths[:0] = (RECORD_MOST,) * MANY  # a batch has no room for so many bytes
    frames = [frame(number, length) for number, length in enumerate(lengths)]
    with RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit, running(router, crossing, GATED) as attached:
        for start in range(0, len(frames), MANY):
            portion = frames[start : start + MANY]
            assert pass_together(entry, exit, attached, portion) == portion
        counts = runtime(attached).sending_counts()
        assert read(attached, "to", "count") == len(frames)
    assert (counts["frames"] > 0) == (crossing != AF_XDP)
    assert counts["frames"] + counts["sockets"] == (0 if crossing == AF_XDP else len(frames) - 2), "two are too long for a batch"


def test_few_at_a_time_leave_at_once(place):
    router, outside = place
    with RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit, running(router, RING, THROUGH) as attached:
        for number in range(5):
            entry.send(frame(number))
            assert received(exit, lambda found: len(found) == 1, silence=0.05) == [frame(number)]
        counts = runtime(attached).sending_counts()
    assert counts == {"frames": 5, "sockets": 0, "pauses": 0}


def test_no_frame_waits_for_the_next_batch(place):
    """The driver learns that no more will come, whatever the number of frames is."""
    router, outside = place
    counts = (*range(1, 20), 127, 128)
    with RawPort(outside, "in1") as exit, running(router, RING, ALONE) as attached:
        for count in counts:
            frames = [frame(number) for number in range(count)]
            with runtime(attached).locked():
                for each in frames:
                    runtime(attached).push("to", each, settle=False)
            assert received(exit, lambda found, most=count: len(found) >= most, silence=0) == frames
        assert runtime(attached).sending_counts()["frames"] == sum(counts)


@pytest.mark.whole
@pytest.mark.parametrize("threads", [1, 2])
def test_swaps_from_one_way_to_another_lose_nothing(place, threads):
    router, outside = place
    others = [JERKY.replace("c ::", "n :: Null -> c ::"), JERKY]
    ways = (RING, AF_XDP, RING, RING, AF_XDP, AF_XDP, RING)
    ended = threading.Event()
    sent: list[bytes] = []

    def flood(entry: RawPort) -> None:
        while not ended.is_set():
            for _ in range(AT_ONCE):
                sent.append(frame(len(sent)))
                entry.send(sent[-1])
            eventually(lambda: len(arrived) > len(sent) - AT_ONCE)

    arrived: list[bytes] = []

    def collect(exit: RawPort) -> None:
        while (found := exit.receive(1.0)) is not None or not ended.is_set():
            arrived.extend(() if found is None else (found,))

    with RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit, running(router, AF_XDP, JERKY, threads=threads) as attached:
        workers = [threading.Thread(target=flood, args=(entry,)), threading.Thread(target=collect, args=(exit,))]
        for worker in workers:
            worker.start()
        try:
            frames = 0
            for number, way in enumerate(ways):
                replace_by(router, attached, others[number % 2], way)
                assert runtime(attached).has_ring("eth1") == (way == RING)
                enough = len(arrived) + 1000
                eventually(lambda enough=enough: len(arrived) > enough)
                frames += runtime(attached).sending_counts()["frames"] > 0
        finally:
            ended.set()
            for worker in workers:
                worker.join()
    assert frames, "some left in batches"
    assert arrived == sent


def test_a_router_with_more_threads_goes_on_by_a_ring(place):
    """It has a ring of its own, to which the devices are new."""
    router, outside = place
    frames = [frame(number) for number in range(AT_ONCE)]
    with RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit, running(router, RING, GATED) as attached:
        assert pass_together(entry, exit, attached, frames) == frames
        attached.asked["threads"] = attached._threads = 2
        replace_by(router, attached, GATED + "StaticThreadSched(to 1);", RING)
        assert pass_together(entry, exit, attached, frames) == frames
        counts = runtime(attached).sending_counts()
        assert counts["frames"] > 0


def test_a_device_that_is_down_gets_nothing_by_the_ring(place):
    """The kernel makes no frames for it; the sockets have its packets wait."""
    router, outside = place
    with RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit, running(router, RING, GATED) as attached:
        frames = [frame(number) for number in range(MANY)]
        for each in frames:
            entry.send(each)
        assert eventually(lambda: read(attached, "in", "length") == len(frames))
        router.ip("link", "set", "eth1", "down")
        router.call(runtime(attached).handlers.write, "gate", "active", "true")
        assert eventually(lambda: read(attached, "in", "length") == 0)
        assert runtime(attached).sending_counts()["frames"] == 0
        router.ip("link", "set", "eth1", "up")
        assert received(exit, lambda found: len(found) >= len(frames)) == frames


def test_a_device_that_is_down_is_in_nobodys_way(place, net, monkeypatch):
    """Packets for it wait in its socket and in its Queue, also while another router takes this one's place; those of others leave."""
    router, outside = place
    net.veth(router, "eth2", outside, "in2")
    text = "FromDevice(eth0) -> c :: Classifier(14/00, -);" + "".join(
        f"c [{n}] -> q{n} :: Queue(10000) -> to{n} :: ToDevice(eth{n + 1});" for n in range(2)
    )
    down, up = ([frame(number) for number in range(n << 24, (n << 24) + 2000)] for n in (0, 1))
    with ExitStack() as opened:
        entry, exit, other = (opened.enter_context(RawPort(outside, device)) for device in ("in0", "in1", "in2"))
        attached = opened.enter_context(running(router, RING, text, threads=16))  # each may take little of its socket's room
        devices = attached.runtime.interfaces
        router.ip("link", "set", "eth1", "down")
        for start, end in pairwise((0, *range(20, len(down), AT_ONCE), len(down))):
            for each in down[start:end]:
                entry.send(each)
            assert eventually(lambda end=end: total(attached, "to0", "q0") == end)
        assert read(attached, "q0", "length") > 0, "its socket is full"
        for start in range(0, len(up), AT_ONCE):
            portion = up[start : start + AT_ONCE]
            for each in portion:
                entry.send(each)
            assert received(other, lambda found, most=len(portion): len(found) >= most, silence=0) == portion
        monkeypatch.setattr("tests.attached.resolve", lambda names: devices)  # it would refuse one that is down
        replace_by(router, attached, text.replace("c ::", "n :: Null -> c ::"), RING)
        router.ip("link", "set", "eth1", "up")
        assert received(exit, lambda found: len(found) >= len(down)) == down


def total(attached: Attached, device: str, queue: str) -> int:
    """What a device has been given, and what waits for it in a Queue or in ToDevice."""
    return read(attached, device, "count") + read(attached, queue, "length") + (read(attached, queue, "length") > 0)


@pytest.mark.parametrize("count", (5, MANY))
def test_a_device_that_leaves_the_ring_keeps_its_packets_in_order(place, count):
    """Packets that wait in a batch leave before those that no longer come into one."""
    router, outside = place
    frames = [frame(number) for number in range(count + 1)]
    with RawPort(outside, "in1") as exit, running(router, RING, ALONE) as attached:
        with runtime(attached).locked():
            for each in frames[:-1]:
                runtime(attached).push("to", each, settle=False)
            runtime(attached).set_ring("eth1", 0)
            runtime(attached).push("to", frames[-1], settle=False)
        assert received(exit, lambda found: len(found) >= len(frames)) == frames


def test_frames_do_not_overtake_what_waits_in_the_socket(place):
    router, outside = place
    frames = [frame(number) for number in range(5 + MANY)]
    with RawPort(outside, "in1") as exit, running(router, RING, ALONE, threads=16) as attached:
        router.ip("link", "set", "eth1", "down")
        for each in frames[:5]:
            runtime(attached).push("to", each, settle=False)
        assert eventually(lambda: runtime(attached).sending_counts()["sockets"] == 5)
        time.sleep(PAUSE)  # after it, frames leave again
        with runtime(attached).locked():  # so nobody empties the socket first
            router.ip("link", "set", "eth1", "up")
            for each in frames[5:]:
                runtime(attached).push("to", each, settle=False)
        assert received(exit, lambda found: len(found) >= len(frames)) == frames
        assert runtime(attached).sending_counts()["frames"] > 0


def test_a_batch_takes_no_more_than_its_socket_has_room_for(place):
    """Nothing leaves: as many packets as the socket has places are taken, however the batches come out."""
    router, outside = place
    frames = [frame(number) for number in range(SOCKET + 1)]
    with RawPort(outside, "in1") as exit, running(router, RING, ALONE, threads=16) as attached:
        router.ip("link", "set", "eth1", "down")
        with runtime(attached).locked():
            for number, each in enumerate(frames):
                if number == 40:
                    runtime(attached).set_ring("eth1", router.ifindex("eth1"))  # the batch goes to the socket
                runtime(attached).push("to", each, settle=False)
            assert (read(attached, "to", "count"), read(attached, "to", "drops")) == (SOCKET, 1)
        router.ip("link", "set", "eth1", "up")
        assert received(exit, lambda found: len(found) >= SOCKET) == frames[:-1]


def test_one_device_that_cannot_change_its_way_leaves_the_others_theirs(place, monkeypatch):
    router, _ = place
    with running(router, AF_XDP, THROUGH) as attached:
        devices, change = attached.runtime.interfaces, Runtime.set_ring

        def set_ring(self: Runtime, device: str, ifindex: int) -> None:
            if device == "eth0":
                raise ClickError("changing how eth0 sends: No such device")
            change(self, device, ifindex)

        monkeypatch.setattr(Runtime, "set_ring", set_ring)
        with pytest.raises(ClickError, match="changing how eth0 sends: No such device"):
            router.call(crossing.cross, runtime(attached), devices, RING)
        assert {name: runtime(attached).has_ring(name) for name in ("eth0", "eth1")} == {"eth0": False, "eth1": True}
        assert router.call(crossing.cross_again, runtime(attached), devices, RING) == {"eth0": AF_XDP, "eth1": RING}


def test_devices_send_by_a_ring_while_their_other_ends_take_frames(place):
    router, outside = place
    for device in ("in0", "in1"):
        outside.offload(device, gro=False)
    with running(router, AUTO, THROUGH, fix_veth=False) as attached:
        assert not runtime(attached).has_sending
        for gro in (True, False):
            outside.offload("in1", gro=gro)
            attached._look_at = 0
            router.call(attached.wait, 0)
            assert {name: runtime(attached).has_ring(name) for name in ("eth0", "eth1")} == {"eth0": False, "eth1": gro}


def test_only_a_ring_that_was_asked_for_must_be_there(place, monkeypatch, capsys):
    router, _ = place
    monkeypatch.setattr(tun, "DEVICE", "/dev/net/none")
    with pytest.raises(ClickError) as caught, running(router, RING, THROUGH):
        pass
    (said,) = caught.value.diagnostics
    assert said.message == "packets can't be sent by a ring: /dev/net/none: No such file or directory" and "modprobe tun" in said.hint
    with running(router, AUTO, THROUGH) as attached:
        assert not runtime(attached).has_ring("eth1")
    assert f"warning: {said.message}" in capsys.readouterr().err


NAME = f"crossing{os.getpid()}"


def clickbpf(router, *words: str) -> str:
    return commands.run(router, *words, check=True).stdout


def ways(router) -> dict[str, str]:
    return next(each["crossings"] for each in json.loads(clickbpf(router, "list", "--json")) if each["name"] == NAME)


def test_loaded_routers_say_how_they_send(place, unchanged):
    router, _ = place
    with unchanged():
        clickbpf(router, "load", "-n", NAME, "--no-kernel", "-e", THROUGH)
        try:
            assert ways(router) == {"eth0": "ring", "eth1": "ring"}
            assert "eth0 (ring), eth1 (ring)" in clickbpf(router, "list")
            assert {device.name for device in router.call(all_devices)} == {"eth0", "eth1"}, "not the one by which it sends"
            assert clickbpf(router, "read", "-r", NAME, "crossing") == "frames 0\nsockets 0\npauses 0\n"
            kill(alive(RunFolder.of(NAME)))
            clickbpf(router, "load", "--runtime-only", NAME)
            assert ways(router) == {"eth0": "ring", "eth1": "ring"}
            clickbpf(router, "load", "-n", NAME, "--no-kernel", "--crossing", "af_xdp", "--replace", "-e", THROUGH)
            assert ways(router) == {"eth0": "af_xdp", "eth1": "af_xdp"}
        finally:
            clickbpf(router, "unload", NAME)

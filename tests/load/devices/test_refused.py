"""What a device refuses is counted: what comes in arrives at the far end, or is a drop of the element that sends."""

import time
from contextlib import ExitStack, nullcontext

import pytest
from tests.attached import compiled, running
from tests.bench.swaps import Traffic
from tests.waiting import eventually, received

from clickbpf.crossings import AF_XDP, RING
from clickbpf.load.devices import refused
from clickbpf.load.kernel.libbpf import BpfError
from clickbpf.load.life.inplace import Attached
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

THROUGH = "FromDevice(eth0) -> c :: Counter -> Queue -> to :: ToDevice(eth1); FromDevice(eth1) -> Discard;"
#: With pauses, so that many leave at once: the ring isn't for few.
JERKY = THROUGH.replace("to ::", "u :: TimedUnqueue(0.05, 300) -> Queue -> to ::")
#: Frames in each state of the device: fewer than a veth device's ring has room for.
MANY = 100


def frames() -> list[bytes]:
    return [bytes.fromhex("020000000002020000000001") + b"\x90\x00" + bytes(1000 if n % 7 == 3 else 46) for n in range(MANY)]


def lost(attached: Attached) -> int:
    return attached.runtime.drops("to").get("TRANSMIT", 0)


def passes(outside, entry: RawPort, attached: Attached, listening: bool = True) -> int:
    """Send the frames. How many of them were refused: the others have arrived."""
    before = lost(attached)
    with RawPort(outside, "in1") if listening else nullcontext() as exit:
        send(entry)
        arrived: list[bytes] = []

        def all_are_known() -> bool:
            arrived.extend(iter(lambda: exit.receive(0.05), None) if exit else ())
            return len(arrived) + lost(attached) - before >= MANY

        assert eventually(all_are_known, 10)
        time.sleep(0.1)
        assert len(arrived) + lost(attached) - before == MANY, "each once"
    return MANY - len(arrived)


def test_what_the_kernel_path_sends_has_arrived_or_is_counted(place):
    """The device is down, its other end is, has no room for frames of that length, or takes none since it has no NAPI. The next router
    goes on with the counts."""
    router, outside = place
    with RawPort(outside, "in0") as entry, running(router, compiled(THROUGH)) as attached:
        assert passes(outside, entry, attached) == 0
        router.ip("link", "set", "eth1", "down")
        assert passes(outside, entry, attached, listening=False) == MANY
        router.ip("link", "set", "eth1", "up")
        outside.ip("link", "set", "in1", "down")
        assert passes(outside, entry, attached, listening=False) == MANY
        old = attached.runtime
        router.call(attached.replace, compiled(THROUGH.replace("c ::", "Null -> c ::")))
        old.close()
        assert lost(attached) == 2 * MANY
        outside.ip("link", "set", "in1", "up", "mtu", "500")
        assert 0 < passes(outside, entry, attached) < MANY
        outside.ip("link", "set", "in1", "mtu", "1500")
        outside.run("ethtool", "-K", "in1", "gro", "off")
        assert passes(outside, entry, attached) == MANY
        outside.run("ethtool", "-K", "in1", "gro", "on")
        assert passes(outside, entry, attached) == 0


def test_nothing_is_sent_before_what_is_refused_is_counted(place, monkeypatch):
    """The device is down when the router comes: packets are Linux's at first."""
    router, outside = place
    outside.ip("link", "set", "in1", "down")
    begin = refused._attach

    def begin_late(*arguments) -> None:
        send(entry)
        begin(*arguments)

    monkeypatch.setattr(refused, "_attach", begin_late)
    with RawPort(outside, "in0") as entry, running(router, compiled(THROUGH)) as attached:
        send(entry)
        assert eventually(lambda: lost(attached) >= MANY)
        assert int(attached.runtime.handlers.read("c", "count")) == lost(attached)


def send(entry: RawPort) -> None:
    for frame in frames():
        entry.send(frame)


@pytest.mark.parametrize("text, crossing", [(THROUGH, AF_XDP), (JERKY, RING)], ids=(AF_XDP, RING))
def test_what_the_runtime_sends_has_arrived_or_is_counted(place, text, crossing):
    """A device without NAPI gets frames as from Linux. (What a device that is down is sent waits.) By the ring packets leave as frames,
    but for a while after some were refused, and then again."""
    router, outside = place
    with RawPort(outside, "in0") as entry, running(router, compiled(text, kernel=False), crossing=crossing) as attached:
        assert passes(outside, entry, attached) == 0
        frames = attached.runtime.sending_counts()["frames"]
        assert (frames > 0) == (crossing == RING)
        outside.ip("link", "set", "in1", "mtu", "500")
        assert 0 < passes(outside, entry, attached) < MANY
        assert (attached.runtime.sending_counts()["pauses"] > 0) == (crossing == RING)
        outside.ip("link", "set", "in1", "mtu", "1500")
        if crossing == RING:
            frames = attached.runtime.sending_counts()["frames"]
            assert eventually(lambda: passes(outside, entry, attached) == 0 and attached.runtime.sending_counts()["frames"] > frames)
        outside.run("ethtool", "-K", "in1", "gro", "off")
        assert passes(outside, entry, attached) == 0
        outside.ip("link", "set", "in1", "down")
        assert passes(outside, entry, attached, listening=False) == MANY


def test_what_the_ring_is_refused_during_a_swap_is_counted_once(place, monkeypatch):
    """By the router that sends, while both count: the device has no program that would show whose its frames are."""
    router, outside = place
    text = JERKY.replace("FromDevice(eth1) -> Discard;", "")
    begin = refused._attach

    def begin_and_send(*arguments) -> None:
        begin(*arguments)
        send(entry)
        assert eventually(lambda: lost(attached) >= MANY)

    with RawPort(outside, "in0") as entry, running(router, compiled(text, kernel=False), crossing=RING) as attached:
        outside.ip("link", "set", "in1", "down")
        monkeypatch.setattr(refused, "_attach", begin_and_send)
        old = attached.runtime
        router.call(attached.replace, compiled(text.replace("c ::", "Null -> c ::"), kernel=False))
        assert attached.runtime.sending_counts()["pauses"] > 0, "frames were refused"
        old.close()
        assert lost(attached) == MANY


def test_what_others_send_is_not_counted(place, net):
    """The kernel tells of all namespaces. In this one another device has the number of the router's; its other end is down."""
    router, outside = place
    stranger, sink = net.namespace("stranger"), net.namespace("sink")
    stranger.ip("link", "add", "eth0", "index", str(router.ifindex("eth1")), "type", "veth", "peer", "name", "eth0", "netns", sink.name)
    stranger.ip("link", "set", "eth0", "up")
    with running(router, compiled(THROUGH)) as attached, ExitStack() as undo:
        traffic = Traffic(stranger, sink, 50_000, undo)
        traffic.start()
        undo.callback(traffic.stop)
        assert eventually(lambda: traffic.sent > MANY)
        time.sleep(0.1)
        assert (traffic.received[0], lost(attached)) == (0, 0)


def test_a_kernel_without_the_tracepoint_forwards_all_the_same(place, monkeypatch, capsys):
    router, outside = place

    def refuse(program) -> None:
        raise BpfError("attaching to a tracepoint", 1)

    monkeypatch.setattr("clickbpf.load.devices.refused.attach_tracepoint", refuse)
    with RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit, running(router, compiled(THROUGH)):
        entry.send(frames()[0])
        assert received(exit, lambda found: len(found) >= 1) == frames()[:1]
    assert "warning: packets that devices refuse are not counted" in capsys.readouterr().err

"""Queues between CPUs in the kernel: what packets, their annotations, handlers and swaps make of them."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext

import pytest
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from tests.attached import compiled, running
from tests.bench.swaps import Traffic
from tests.load import traces
from tests.load.conftest import OWN
from tests.load.devices.test_spread import known, overload
from tests.waiting import eventually, received

from clickbpf.compile import Compilation
from clickbpf.load.change.tracing import Counting
from clickbpf.load.devices.hops import _thread
from clickbpf.load.devices.lanes import Lanes
from clickbpf.load.life.inplace import Attached
from clickbpf.testing.netns import Namespace
from clickbpf.testing.traffic import RawPort

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "clang-19")

#: Two lines of work side by side, by the last byte of the destination; packets that the runtime gets behind them; few that come back. The
#: second CPU is the first thread, which has all packets at first.
LANES = f"""
    out :: Queue -> ToDevice(eth1);
    in :: FromDevice(eth0) -> w :: CPUSwitch -> Paint(7) -> Strip(14) -> h :: HashSwitch(19, 1);
    h[0] -> q0 :: Queue(ROOM) -> {OWN} :: Unqueue -> CheckPaint(7) -> k :: CheckIPHeader -> MORE Unstrip(14) -> out;
    k[1] -> ICMPError(10.0.0.254, parameterproblem) -> h;
    h[1] -> q1 :: Queue(ROOM) -> u1 :: Unqueue -> CheckPaint(7) -> CheckIPHeader -> s :: IPClassifier(dst port 99, -);
    s[0] -> slow :: Queue -> v :: Unqueue -> MORE a :: Unstrip(14) -> out;
    s[1] -> Unstrip(14) -> out;
    w[1] -> Discard;
    FromDevice(eth1) -> Discard;
    StaticThreadSched(in 0, {OWN} 0, u1 1);
"""

#: The same for the flows of numbered.bpf.c, which have no checksum.
OF_FLOWS = LANES.replace("19, 1", "14, 2").replace("CheckIPHeader", "MarkIPHeader").replace("k[1]", "Idle")


def lanes(more: str = "", text: str = LANES, room: int = 1000) -> Compilation:
    return compiled(text.replace("ROOM", str(room)).replace("MORE", more), spread=True)


def packet(number: int, port: int = 9) -> bytes:
    ends = IP(src="10.0.0.1", dst=f"10.9.0.{number}")
    return bytes(Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02") / ends / UDP(sport=1000, dport=port) / Raw(bytes(32)))


def read(attached: Attached, *names: str) -> list[str]:
    return [attached.runtime.handlers.read(*name.split(".")) for name in names]


def test_packets_pass_with_their_annotations_by_both_lanes_while_routers_change(place):
    router, outside = place
    made = lanes()
    assert {made.plan.placements[name].where for name in ("q0", OWN, "q1", "u1", "s")} == {"xdp"}
    assert made.plan.placements["slow"].where == "user"
    sent = [packet(number) for number in range(1, 21)] + [packet(number, 99) for number in range(1, 21)]
    with running(router, made, spread=Lanes((1, 0))) as attached, RawPort(outside, "in0") as entry, RawPort(outside, "in1") as exit:

        def passes() -> None:
            for each in sent:
                entry.send(each)
            assert sorted(received(exit, lambda found: len(found) >= len(sent))) == sorted(sent)

        passes()
        counts = [int(each) for each in read(attached, f"{OWN}.count", "u1.count", "v.count")]
        assert counts[0] + counts[1] == len(sent) and min(counts) > 0 and counts[2] == counts[1] / 2
        assert read(attached, "q0.length", "q1.length", "q0.drops") == ["0", "0", "0"]
        for turn in range(3):
            old = attached.runtime
            router.call(attached.replace, lanes(more="Null -> " * turn))
            old.close()
            passes()
        attached.runtime.handlers.write(OWN, "active", "false")
        for each in sent:
            entry.send(each)
        assert eventually(lambda: read(attached, "q0.length") == [str(counts[0])], 10)
        attached.runtime.handlers.write(OWN, "active", "true")
        assert sorted(received(exit, lambda found: len(found) >= len(sent))) == sorted(sent)
        assert read(attached, f"{OWN}.count", "q0.length") == [str(2 * counts[0]), "0"]
        assert traces.objects(f"hop_{OWN}")["prog"]
    assert eventually(lambda: not traces.objects(f"hop_{OWN}")["prog"]), "programs and queues that refer to each other are freed"


def test_what_has_no_room_is_counted_and_flows_keep_their_order(hosts):
    """An overload of queues with room for few packets."""
    router, source, sink = hosts
    with running(router, lanes(text=OF_FLOWS, room=8), spread=Lanes((1, 0))) as attached:
        overload(attached, source, sink)
        full = [int(each) for each in read(attached, "q0.drops", "q1.drops")]
        assert full == [attached.runtime.drops(name).get("FULL", 0) for name in ("q0", "q1")]
        assert sum(full) > 0
        assert read(attached, "q0.length", "q1.length") == ["0", "0"]


@contextmanager
def flowing(hosts) -> Iterator[tuple[Namespace, Attached, Traffic, Callable[[], int]]]:
    """Both lanes on one CPU, with a BalancedThreadSched that leaves them there, and flows through them; with a function that gives the
    number of frames that have arrived or been counted as lost."""
    router, source, sink = hosts
    text = OF_FLOWS.replace(f"{OWN} 0, u1 1", f"{OWN} 0") + "b :: BalancedThreadSched(2000000000);"
    with running(router, lanes(text=text), spread=Lanes((1, 0))) as attached, ExitStack() as undo:
        traffic = Traffic(source, sink, 200_000, undo, flows=100)
        traffic.start()
        undo.callback(traffic.stop)
        yield router, attached, traffic, lambda: known(attached, traffic, source)


def move(attached: Attached, name: str, thread: int) -> None:
    """Move a lane when packets wait in it: one of the CPUs is the generator's too."""
    hops = attached.runtime.path.hops
    time.sleep(0.002)
    hops.move(name, thread)
    assert eventually(lambda: not hops.state(name).moves, 10)
    assert hops.state(name).thread == thread


def test_a_lane_moves_to_another_cpu_while_flows_keep_their_order(hosts, monkeypatch, tmp_path, capsys):
    """There and back all the time; then BalancedThreadSched finds both lanes on one CPU."""
    with flowing(hosts) as (_, attached, traffic, known_now):
        hops, balancer = attached.runtime.path.hops, attached.runtime.instances["b"]
        for name, thread in [*[("q1", turn % 2) for turn in range(1, 200)], ("q1", 0), ("q0", 0)]:
            move(attached, name, thread)

        def spread() -> bool:
            balancer.called(0)
            return {hops.state(name).thread for name in ("q0", "q1")} == {0, 1}

        assert eventually(spread, 10)
        traffic.pause(True)
        assert eventually(lambda: known_now() == traffic.sent, 10)
        assert traffic.received[1] == 0
        assert read(attached, "q0.length", "q1.length") == ["0", "0"]
        monkeypatch.setattr("clickbpf.load.devices.hops.PROC", tmp_path)
        _thread.cache_clear()
        assert [balancer.called(0) for _ in range(2)] == [None, None]
        assert capsys.readouterr().err.count("can't be seen in /proc") == 1


def test_a_lane_that_has_moved_keeps_its_cpu_when_programs_change(hosts):
    """Each build has queues of its own; while packets are counted at all outputs, BalancedThreadSched moves none."""
    with flowing(hosts) as (router, attached, traffic, known_now):
        move(attached, "q1", 1)
        queues = attached.runtime.path.maps["hop_0"].info().id
        router.call(attached.runtime.handlers.write, "s", "config", "dst port 98, -")
        assert attached.runtime.path.maps["hop_0"].info().id != queues
        assert attached.runtime.path.hops.state("q1").thread == 1
        counting = Counting(attached.runtime, lambda: nullcontext(attached._links))
        assert router.call(counting.begin)
        assert attached.runtime.instances["b"].runtime.hops is None
        router.call(counting.end)
        assert attached.runtime.instances["b"].runtime.hops is not None
        traffic.pause(True)
        assert eventually(lambda: known_now() == traffic.sent, 10)
        assert [attached.runtime.drops(name).keys() - {"FULL"} for name in ("q0", "q1")] == [set(), set()]

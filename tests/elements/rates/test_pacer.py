"""Pacer and BandwidthPacer: packets leave one after another, at times that do not depend on what executes them."""

import random
import struct

import pytest
from tests.elements.swapped import runtime

from clickbpf.compile import check_text
from clickbpf.objects.hooks import TC
from clickbpf.plan import Options, plan
from clickbpf.testing.equivalence import Twins, arrivals
from clickbpf.testing.executors import bpf, tc
from clickbpf.testing.packets import Mix
from clickbpf.vocabulary.library import Library

NS = 10**9
#: In struct __sk_buff: the offset of `tstamp`.
TSTAMP = 152
IP, OTHER = 0x0800, 0x88B5
CLASSES = {"Pacer": lambda length: 1, "BandwidthPacer": lambda length: max(length, 60)}

#: The test makes its router on TC by itself.
ON_TC = pytest.mark.executors("native")


def frame(length: int, kind: int = IP) -> bytes:
    return bytes(12) + struct.pack("!H", kind) + b"\x45" + bytes(length - 15)


def gap(amount: int, rate: int) -> int:
    return -(-amount * NS // rate)


@pytest.mark.parametrize("pacer, length, seconds, expected", [("Pacer(100)", 60, 10, 1001), ("BandwidthPacer(60000)", 600, 5, 501)])
def test_the_rate_is_held(router, pacer, length, seconds, expected):
    r = router(f"FromDevice(a) -> p :: {pacer} -> c :: Counter -> Discard;", simtime=True)
    for _ in range(seconds * 100):
        r.send("a", [frame(length)] * 3)
        r.advance(0.01)
    assert int(r.read("c.count")) == pytest.approx(expected, abs=1)


def test_what_waits_is_bounded_and_known(router):
    r = router("FromDevice(a) -> p :: Pacer(3, 20) -> Queue -> ToDevice(b);", simtime=True)
    assert len(r.send("a", [frame(60)] * 50)) == 1, "the first packet need not wait"
    assert (r.read("p.length"), r.read("p.drops"), r.dropped("p")) == ("20", "29", 29)
    assert len(r.advance(1)) == 2
    assert r.read("p.length") == "18"
    r.write("p.reset_counts", "")
    r.send("a", [frame(60)] * 3)
    assert (r.read("p.length"), r.read("p.drops")) == ("20", "1")
    assert len(r.advance(10)) == 20 and r.read("p.length") == "0"


def test_bytes_that_wait(router):
    r = router("FromDevice(a) -> p :: BandwidthPacer(1000, 3000) -> Queue -> ToDevice(b);", simtime=True)
    assert len(r.send("a", [frame(1000)] * 7)) == 1
    assert (r.read("p.length"), r.read("p.drops")) == ("4000", "3"), "a packet is taken that waits for no more than 3000 bytes"
    r.advance(1.5)
    assert r.read("p.length") == "2500"


def test_packets_leave_in_order(router):
    r = router("FromDevice(a) -> Pacer(10) -> Queue -> ToDevice(b);", simtime=True)
    sent = [frame(60 + number, random.Random(number).choice([IP, OTHER])) for number in range(50)]
    left = [*r.send("a", sent), *r.advance(10)]
    assert [len(output.data) for output in left] == [len(each) for each in sent]


def test_there_is_no_burst_after_a_pause(router):
    r = router("FromDevice(a) -> p :: Pacer(10) -> Queue -> ToDevice(b);", simtime=True)
    r.advance(100)
    assert len(r.send("a", [frame(60)] * 9)) == 1
    assert [len(r.advance(0.1)) for _ in range(8)] == [1] * 8


def test_another_rate_is_for_packets_to_come(router):
    r = router("FromDevice(a) -> p :: Pacer(1, 10) -> Queue -> ToDevice(b);", simtime=True)
    r.send("a", [frame(60)] * 3)
    r.write("p.rate", "100")
    assert r.read("p.rate") == "100"
    assert len(r.advance(2)) == 2, "the two that waited"
    r.advance(1)
    assert len(r.send("a", [frame(60)] * 11)) == 1 and len(r.advance(0.1)) == 10
    with pytest.raises(Exception, match="positive"):
        r.write("p.rate", "0")


def test_where_packets_can_wait_in_the_kernel():
    """Only what does nothing may come after the time that a packet gets."""
    library = Library.standard()
    for after, where in (
        ("Queue -> ToDevice(b)", "tc"),
        ("Counter -> Queue -> ToDevice(b)", "user"),
        ("Queue -> Counter -> ToDevice(b)", "user"),
        ("Queue -> Shaper(3) -> ToDevice(b)", "user"),
        ("Queue -> to :: ToDevice(b) -> Discard", "user"),
        ("Queue -> Discard", "user"),
        ("Discard", "user"),
    ):
        checked = check_text(f"FromDevice(a) -> p :: Pacer(10) -> {after};", library)
        assert plan(checked, Options(hook=TC)).placements["p"].where == where, after
        assert plan(checked).placements["p"].where == "user", "XDP has no queues that wait"
        assert plan(checked, Options(hook=TC, user=frozenset({"p"}))).placements["p"].where == "user"


def test_a_hot_swap_takes_packets_and_times():
    text = "FromDevice(a) -> p :: Pacer(10) -> Queue -> ToDevice(b);"
    old = runtime(text)
    for number in range(5):
        old.inject("a", frame(60 + number))
    assert [len(each) for each in old.collect("b")] == [60]
    new = runtime(text, old)
    assert new.handlers.read("p", "length") == "4"
    for later in range(61, 65):
        new.advance(NS // 10 - 1)
        assert new.collect("b") == []
        new.advance(1)
        assert [len(each) for each in new.collect("b")] == [later]
    assert new.packets == 0
    new.close()


@pytest.mark.parametrize("old_time, new_time", [(7, 5), (5, 7)])
def test_a_time_that_was_given_is_not_given_again(old_time, new_time):
    """Before a new element has the old one's state, its kernel path may have given packets times."""
    old, new = (runtime("FromDevice(a) -> p :: Pacer(10) -> Queue -> ToDevice(b);") for _ in range(2))
    old.instances["p"].state.pacer.next, new.instances["p"].state.pacer.next = old_time, new_time
    new.instances["p"].take_state(old.instances["p"])
    assert new.instances["p"].state.pacer.next == 7
    for each in (old, new):
        each.close()


@pytest.mark.parametrize("name", CLASSES)
def test_mistakes(refused, name):
    assert "RATE must be positive" in refused(f"{name}(0)")


@pytest.fixture
def kept(monkeypatch):
    """kept(PACKETS, NS): from now on the devices of kernel paths have fq with this room. The result gets the times of packets that programs
    have been done with, 0 for at once."""

    def have(packets: int, horizon: int) -> list[int]:
        times: list[int] = []
        load, run = bpf.load_kernel, tc.Tc.test_run

        def with_room(*given, variables, **named):
            return load(*given, variables={**variables, "fq_room": struct.pack("=QQ", horizon, packets) * 2}, **named)

        def test_run(self, *given):
            done = run(self, *given)
            times.append(struct.unpack_from("=Q", done.ctx, TSTAMP)[0])
            return done

        monkeypatch.setattr(bpf, "load_kernel", with_room)
        monkeypatch.setattr(tc.Tc, "test_run", test_run)
        return times

    return have


def model(arrived: list[tuple[int, int]], amount, rate: int, capacity: int) -> list[int | None]:
    """When packets, (ns, bytes), leave; None for those that are dropped."""
    found: list[int | None] = []
    following = 0
    for now, length in arrived:
        leaves = max(now, following)
        if leaves - now > (capacity * gap(1, rate) if amount(0) == 1 else gap(capacity, rate)):
            found.append(None)
            continue
        found.append(leaves)
        following = leaves + gap(amount(length), rate)
    return found


@ON_TC
@pytest.mark.parametrize(
    "name, rate, capacity, pause", [("Pacer", 1000, 30, 0.0015), ("Pacer", 7, 0, 0.2), ("BandwidthPacer", 123_456, 9000, 0.009)]
)
def test_the_kernel_gives_the_times_of_the_model(router, kept, name, rate, capacity, pause):
    times = kept(1000, 10 * NS)
    r = router(f"FromDevice(a) -> p :: {name}({rate}, {capacity}) -> Queue -> ToDevice(b);", simtime=True, executor="tc")
    some, arrived, found = random.Random(rate), [], []
    for _ in range(600):
        length = some.randint(60, 1400)
        clock = r.executor.runtime.clock
        sent = r.send("a", frame(length))
        arrived.append((clock, length))
        found.append((times[-1] or clock) if sent else None)
        r.advance(some.random() * pause * (100 if some.random() < 0.01 else 1))
    expected = model(arrived, CLASSES[name], rate, capacity)
    assert found == expected
    assert int(r.read("p.drops")) == r.dropped("p") == expected.count(None) > 20
    assert sum(time is not None and time > clock for time, (clock, _) in zip(found, arrived)) > (50 if capacity else -1)


@ON_TC
@pytest.mark.parametrize(
    "packets, horizon, in_kernel", [(30, 3 * NS, True), (29, 3 * NS, False), (30, 3 * NS - 1, False), (0, 0, False)]
)
def test_without_room_in_fq_all_packets_wait_in_user_space(router, kept, packets, horizon, in_kernel):
    """fq would drop packets beyond its limits, and send those beyond its horizon too early."""
    times = kept(packets, horizon)
    r = router("FromDevice(a) -> p :: Pacer(10, 30) -> Queue -> ToDevice(b);", simtime=True, executor="tc")
    assert sum(len(r.send("a", frame(60))) for _ in range(32)) == (31 if in_kernel else 1)
    assert sum(time > 0 for time in times) == (30 if in_kernel else 0)
    assert len(r.advance(4)) == (0 if in_kernel else 30)


@ON_TC
def test_what_is_not_ip_waits_in_user_space_in_its_turn(router, kept):
    times = kept(1000, 10 * NS)
    r = router("FromDevice(a) -> p :: Pacer(10, 50) -> Queue -> ToDevice(b);", simtime=True, executor="tc")
    began = r.executor.runtime.clock
    assert len(r.send("a", frame(60))) == 1
    assert r.send("a", frame(60, OTHER)) == []
    assert len(r.send("a", frame(60))) == 1 and times[-1] == began + 2 * gap(1, 10), "its time is after the other's"
    assert len(r.advance(0.1)) == 1


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("name, rate", [("Pacer", 50), ("BandwidthPacer", 9000)])
def test_both_executors_do_the_same(name, rate):
    with Twins(f"FromDevice(a) -> p :: {name}({rate}, 50000) -> Queue -> ToDevice(b);", ("native", "tc")) as both:
        for arrival in arrivals(600, both.entries, both.titles, 5, Mix()):
            both.arrive(arrival)

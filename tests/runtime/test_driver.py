"""Tasks, timers, notification, the threads: what runs when, and what sleeps."""

import struct

import pytest
from tests.runtime.asleep import threads, wakes_rarely
from tests.waiting import eventually

from clickbpf.errors import ClickError


def ticks(frames: list[bytes]) -> list[int]:
    return [struct.unpack_from("<Q", frame)[0] for frame in frames]


def test_timers_run_at_their_simulated_time(run):
    router = run("Ticker(1000) -> Queue -> ToDevice(a); Ticker(300) -> Queue -> ToDevice(b);", clock=5000)
    router.advance(3000)
    assert ticks(router.collect("a")) == [6000, 7000, 8000]
    assert ticks(router.collect("b")) == [5000 + 300 * i for i in range(1, 11)]


def test_control_reaches_the_element(run):
    router = run("t :: Ticker(1000000000000) -> Queue -> ToDevice(a);")
    assert router.call("t", 0, 1 << 40) == 0
    assert router.instances["t"].state.ticks.argument == 1 << 40
    assert router.call("t", 2) == -22
    assert router.call("t", 1) == 0
    assert router.next_timer is None


def test_source_sleeps_while_the_queue_is_full(run):
    """Click's InfiniteSource listens to the queue's full notification: with BURST 1 nothing is ever dropped."""
    router = run("i :: InfiniteSource(LIMIT 1000) -> q :: Queue(10) -> u :: Unqueue(ACTIVE false) -> Queue(2000) -> ToDevice(a);")
    router.settle()
    assert router.handlers.read("i", "count") == "10"
    assert router.handlers.read("q", "drops") == "0"
    router.handlers.write("u", "active", "true")
    router.settle()
    assert router.handlers.read("i", "count") == "1000"
    assert router.handlers.read("q", "drops") == "0"
    assert len(router.collect("a")) == 1000


def test_stop_ends_the_run_after_the_last_packet(run):
    router = run("i :: InfiniteSource(LIMIT 5, STOP true) -> Queue -> ToDevice(a);")
    router.settle()
    assert router.runs == 0
    assert router.handlers.read("i", "count") == "5"
    router.handlers.write("i", "reset", "")
    router.settle()
    assert router.handlers.read("i", "count") == "0", "a stopped driver runs no tasks"
    router.add_runs(1)
    router.settle()
    assert router.handlers.read("i", "count") == "5"
    assert len(router.collect("a")) == 10


def test_end_call_writes_its_handler(run):
    router = run("i :: InfiniteSource(LIMIT 5, END_CALL q.capacity 77) -> q :: Queue -> ToDevice(a);")
    router.settle()
    assert router.handlers.read("q", "capacity") == "77"


def test_what_goes_wrong_in_python_has_a_place_and_no_traceback(run, monkeypatch, capsys):
    router = run("s :: InfiniteSource(LIMIT 3, END_CALL c.reset) -> c :: Counter -> Discard;")

    def fails(value):
        raise ValueError("no such thing")

    monkeypatch.setattr(router.instances["s"], "called", fails)
    router.settle(1000)
    said = capsys.readouterr().err
    assert "config:1:1: error: 's' failed: ValueError: no such thing" in said and "Traceback" not in said


def test_a_source_that_is_through_is_not_started_by_other_handlers(run):
    """Its end would be reported again, endlessly if the end calls the handler."""
    router = run("s :: InfiniteSource(LIMIT 3, END_CALL e.run) -> c :: Counter -> Discard; e :: Script(TYPE PASSIVE, write s.length 2);")
    router.settle(1000)
    assert router.handlers.read("c", "count") == "3"
    router.handlers.write("s", "limit", "5")
    router.settle(1000)
    assert router.handlers.read("c", "count") == "5"


@pytest.mark.parametrize("name", ["Unqueue", "PullToPush"])
def test_unqueue_limit_and_reset(run, name):
    router = run(f"InfiniteSource(LIMIT 100) -> Queue -> u :: {name}(LIMIT 7, BURST 3) -> Queue -> ToDevice(a);")
    router.settle()
    assert (router.handlers.read("u", "count"), len(router.collect("a"))) == ("7", 7)
    router.handlers.write("u", "reset")
    router.settle()
    assert len(router.collect("a")) == 7


def test_pulled_source(run):
    router = run("InfiniteSource(DATA abc, LIMIT 4, LENGTH 16) -> ToDevice(a);")
    router.settle()
    assert router.collect("a") == [b"abcabcabcabcabca"] * 4


def test_queue_capacity_shrinks_to_the_oldest_packets(run):
    router = run("FromDevice(d) -> q :: Queue(10) -> u :: Unqueue(ACTIVE false) -> Queue -> ToDevice(a);")
    for i in range(10):
        router.inject("d", bytes([i]) * 60)
    router.handlers.write("q", "capacity", "4")
    assert router.handlers.read("q", "length") == "4"
    router.inject("d", b"z" * 60)
    assert router.handlers.read("q", "drops") == "1"
    router.handlers.write("u", "active", "true")
    router.settle()
    assert [frame[0] for frame in router.collect("a")] == [0, 1, 2, 3]
    assert router.handlers.read("q", "highwater_length") == "10"


def test_queue_overflow_leaves_by_output_1(run):
    router = run("FromDevice(d) -> q :: Queue(1) -> Unqueue(ACTIVE false) -> Queue -> ToDevice(a); q[1] -> Queue -> ToDevice(b);")
    for i in range(3):
        router.inject("d", bytes([i]) * 60)
    assert [frame[0] for frame in router.collect("b")] == [1, 2]
    router.handlers.write("q", "reset")
    router.settle()
    assert [frame[0] for frame in router.collect("b")] == [0]


def test_stride_scheduling_shares_evenly(run):
    router = run(
        "a :: InfiniteSource -> q1 :: Queue(100000) -> Unqueue(ACTIVE false) -> Queue -> ToDevice(x);"
        "b :: InfiniteSource -> q2 :: Queue(100000) -> Unqueue(ACTIVE false) -> Queue -> ToDevice(y);"
    )
    with pytest.raises(ClickError):
        router.settle(100)
    counts = [int(router.handlers.read(name, "count")) for name in "ab"]
    assert sum(counts) > 1000
    assert abs(counts[0] - counts[1]) <= 1


@pytest.mark.parametrize("sources", [3, 4, 5, 9])
def test_tasks_with_the_same_tickets_take_turns(run, sources):
    """In the order of the configuration, round after round, as in Click."""
    names = [f"s{number}" for number in range(sources)]
    merged = "".join(f"InfiniteSource(DATA {name:_<60}, LIMIT 3) -> q; " for name in names)
    router = run(f"q :: Queue -> ToDevice(a); {merged}")
    router.settle()
    assert [frame.split(b"_")[0].decode() for frame in router.collect("a")] == names * 3


def test_threads_run_and_idle_without_cpu(run):
    others = threads()
    router = run("FromDevice(d) -> Queue -> ToDevice(a); Ticker(5000000) -> q :: Queue -> Unqueue -> Queue -> ToDevice(b);")
    router.start()
    router.inject("d", b"x" * 60, settle=False)
    assert eventually(lambda: router.collect("a")) == [b"x" * 60]
    assert eventually(lambda: router.collect("b"))
    router.call("Ticker@4", 1)
    assert wakes_rarely(threads() - others)
    router.stop()


def test_busy_thread_lets_handlers_in(run):
    router = run("i :: InfiniteSource(BURST 100) -> Queue(10) -> Unqueue(BURST 100) -> Queue(1) -> Unqueue(ACTIVE false) -> Discard;")
    router.start()
    for _ in range(200):
        router.handlers.write("i", "burst", "100")
    before = int(router.handlers.read("i", "count"))
    assert eventually(lambda: int(router.handlers.read("i", "count")) > before)
    router.stop()


def test_stop_pauses_running_threads(run):
    router = run("i :: InfiniteSource(LIMIT 1000, STOP true) -> Queue(2000) -> Unqueue -> Queue(2000) -> ToDevice(a);")
    router.start()
    assert router.wait(60)
    assert router.runs == 0
    router.stop()


def test_initialisation_error_names_the_element(run):
    with pytest.raises(ClickError, match="'f': Invalid argument"):
        run("f :: Failing -> Queue -> ToDevice(a);")

"""Several threads: which elements run where, what threads share, and that they sleep.

test_memory.py runs these tests under the thread sanitizer and others.
"""

import os
import resource
from pathlib import Path

import pytest
from tests.runtime.asleep import threads, wakes_rarely
from tests.runtime.conftest import checked
from tests.waiting import eventually

from clickbpf.emit.native import emit_native
from clickbpf.emit.threads import locks
from clickbpf.errors import ClickError
from clickbpf.graph.wiring import Wiring
from clickbpf.runtime.handlers import HandlerError
from clickbpf.vocabulary.sources import c_source

SANITIZED = "CLICKBPF_SANITIZE" in os.environ
#: Packets of a test that is about races; a sanitizer makes each cost ten times as much.
MANY = 20_000 if SANITIZED else 200_000
SECOND = 10**9


def number(router, handler: str) -> int:
    return int(router.handlers.read(*handler.split(".")))


# -- where things run -------------------------------------------------------------------------------------------------


WHERE = "-> s :: CPUSwitch; s[0] -> c0 :: Counter -> Discard; s[1] -> c1 :: Counter -> Discard; s[2] -> c2 :: Counter -> Discard;"


def counts(router) -> list[int]:
    return [number(router, f"c{i}.count") for i in range(3)]


@pytest.mark.parametrize("started", [False, True], ids=["driven by the host", "threads"])
def test_tasks_run_on_their_home_thread(run, started):
    router = run(f"i :: InfiniteSource(LIMIT 100) {WHERE} StaticThreadSched(i 2);", threads=3)
    if started:
        router.start()
        eventually(lambda: sum(counts(router)) == 100)
        router.stop()
    else:
        router.settle()
    assert counts(router) == [0, 0, 100]
    router.handlers.write("i", "home_thread", "1")
    router.handlers.write("i", "reset")
    router.settle()
    assert counts(router) == [0, 100, 100]


def test_timers_run_on_their_home_thread(run):
    router = run(f"t :: Ticker(1000000) {WHERE} StaticThreadSched(t 1);", threads=3, clock=0)
    router.advance(10 * 10**6)
    router.tasks.move("t", 2)
    router.advance(5 * 10**6)
    assert counts(router) == [0, 10, 5]


def test_what_has_no_thread_stands_still(run):
    router = run("i :: InfiniteSource(LIMIT 5) -> q :: Queue -> u :: Unqueue -> Discard; StaticThreadSched(u -1);", threads=2)
    router.settle()
    assert (number(router, "u.count"), number(router, "q.length"), number(router, "u.home_thread")) == (0, 5, -1)
    router.handlers.write("u", "home_thread", "1")
    router.settle()
    assert (number(router, "u.count"), number(router, "u.home_thread")) == (5, 1)


def test_tasks_move_while_packets_flow(run):
    many = 10 * MANY
    router = run(f"n :: Numbered({many}) -> q :: Queue(50) -> u :: Unqueue -> o :: InOrder -> Discard;", threads=3)
    router.start()
    moves = 0
    while number(router, "o.count") < many:
        router.handlers.write("n", "home_thread", str(moves % 3))
        router.handlers.write("u", "home_thread", str((moves + moves // 3) % 3))
        moves += 1
    router.stop()
    assert (number(router, "o.count"), number(router, "o.late"), number(router, "q.drops")) == (many, 0, 0)
    assert moves > 3


# -- what they share --------------------------------------------------------------------------------------------------


def test_pipeline_keeps_order_and_loses_nothing(run):
    router = run(
        f"n :: Numbered({MANY}) -> q1 :: Queue(100) -> u1 :: Unqueue(BURST 8) -> q2 :: ThreadSafeQueue"
        "-> u2 :: Unqueue -> o :: InOrder -> Discard; StaticThreadSched(u1 1, u2 2);",
        threads=3,
    )
    router.start()
    assert eventually(lambda: number(router, "o.count") + number(router, "q2.drops") == MANY, 60)
    router.stop()
    assert (number(router, "o.late"), number(router, "q1.drops"), router.packets) == (0, 0, 0)


def test_several_push_at_and_pull_from_one_queue(run):
    router = run(_fan(4, MANY), threads=4)
    router.start()
    assert eventually(lambda: sum(number(router, f"u{i}.count") for i in range(4)) + number(router, "q.drops") >= MANY, 60)
    router.stop()
    assert number(router, "all.count") + number(router, "q.drops") == MANY
    assert router.packets == number(router, "q.length") == 0


def _fan(width: int, packets: int) -> str:
    """Some threads push to one queue, and as many pull from it, along a shared path."""
    pushers = "".join(f"n{i} :: Numbered({packets // width}) -> q; StaticThreadSched(n{i} {i});" for i in range(width))
    pullers = "".join(f"s[{i}] -> u{i} :: Unqueue -> all; StaticThreadSched(u{i} {width - 1 - i});" for i in range(width))
    return f"q :: Queue(64) -> s :: Shared; all :: Counter -> Discard; {pushers} {pullers}"


def test_packets_go_back_to_who_makes_them(run):
    """A thread that only frees would otherwise collect all packets that another one has to allocate."""
    router = run("i :: InfiniteSource(LIMIT 1000000) -> Queue -> u :: Unqueue(BURST 8) -> Discard; StaticThreadSched(u 1);", threads=2)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    router.start()
    assert eventually(lambda: number(router, "u.count") > MANY, 60)
    router.stop()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 64 << 10, f"{grown} kB, for a Queue of 1000 packets"


def test_branches_and_a_shared_sink(run):
    """HashSwitch, Queue, Unqueue: four branches on four threads, which meet again."""
    branches = "".join(f"h[{i}] -> q{i} :: Queue -> u{i} :: Unqueue -> q; StaticThreadSched(u{i} {i});" for i in range(4))
    text = f"""s :: RatedSource(LENGTH 64, RATE 10000) -> SetRandIPAddress(10.0.0.0/8) -> StoreIPAddress(16) -> h :: HashSwitch(16, 4);
        q :: Queue -> u :: Unqueue -> c :: Counter -> Discard; {branches} StaticThreadSched(u 3);"""
    router = run(text, threads=4, clock=SECOND)
    router.start()
    assert eventually(lambda: router.clock > 3 * SECOND, 60)
    router.handlers.write("s", "active", "false")
    router.stop()
    router.settle()
    assert abs(number(router, "s.count") - (router.clock - SECOND) / 100_000) < 150, "a rate, and 10 ms to catch up on"
    assert number(router, "c.count") == number(router, "s.count")
    assert all(number(router, f"u{i}.count") > 1000 for i in range(4))
    assert router.packets == 0


def locked(text: str, threads: int = 2) -> dict[str, str]:
    router = checked(text)
    names = [name for name, element in router.instances.items() if c_source(type(element)) is not None]
    return locks(Wiring(router), names, threads)


def test_only_what_several_may_enter_is_locked():
    text = "a :: Numbered(1) -> own :: InOrder -> q :: Queue -> u :: Unqueue -> o :: InOrder -> d :: Discard; b :: Numbered(1) -> q;"
    assert locked(text) == {"q": "q"}
    assert locked(text, threads=1) == {}
    assert "lock_take" not in emit_native(checked(text)).text
    assert "InOrder@2" in locked("FromDevice(eth0) -> InOrder -> Discard;"), "a device has several queues"
    assert set(locked("Numbered(1) -> p :: Null -> InOrder -> Discard; Numbered(1) -> p;")) == {"InOrder@3"}
    assert set(locked("Numbered(1) -> p :: DecIPTTL -> Discard; Numbered(1) -> p;")) == set(), "per-thread values, and variables"


@pytest.mark.parametrize("pushers, pullers, lock, pull_lock", [(1, 1, False, False), (2, 1, True, False), (1, 2, False, True)])
def test_each_side_of_a_queue_has_a_lock_if_several_use_it(pushers, pullers, lock, pull_lock):
    pushing = "".join("Numbered(1) -> q; " for _ in range(pushers))
    pulling = "".join(f"s[{i}] -> Unqueue -> Discard; " for i in range(pullers))
    text = f"q :: Queue -> s :: {'Shared' if pullers > 1 else 'Null'}; {pushing}{pulling}"
    assert ("q" in locked(text)) == lock
    assert ("lock_take(&e_q_pull_lock_state)" in emit_native(checked(text), 2).text) == pull_lock


def test_rewriters_share_a_lock_with_what_works_on_their_flows():
    nat = "IPRewriter(pattern 192.0.2.1 1024-65535 - - 0 0)"
    text = (
        f"Numbered(1) -> i :: ICMPRewriter(r) -> Discard; Numbered(1) -> r :: {nat} -> Discard; Numbered(1) -> alone :: {nat} -> Discard;"
        "Numbered(1) -> f :: FTPPortMapper(r, r, 0) -> Discard;"
    )
    found = locked(text)
    assert found["r"] == found["i"] == found["f"] != found["alone"]
    emitted = emit_native(checked(text), 2).text
    assert "struct lock e_i_own_lock_state;" in emitted and "e_f_lock();" in emitted
    assert "lock_take" not in emit_native(checked(text)).text


@pytest.mark.whole
def test_threads_share_a_rewriter(run):
    """Each source has a flow of its own with each rewriter, which one mapper gives ports; errors about them come meanwhile."""
    sources = "".join(
        f"i{n} :: InfiniteSource(LENGTH 20, LIMIT {MANY // 8}, BURST 8) -> UDPIPEncap(10.0.0.{n + 1}, 1000, 10.0.0.9, 53) -> t{n} :: Tee;"
        f"t{n}[0] -> r; t{n}[1] -> s; t{n}[2] -> ICMPError(192.0.2.1, unreachable, port) -> w;"
        for n in range(4)
    )
    text = (
        "m :: RoundRobinIPMapper(192.0.2.1 1024-2047 - - 0 0, 192.0.2.2 1024-2047 - - 0 0);"
        "r :: IPRewriter(m) -> c :: Counter -> Discard; s :: IPRewriter(m) -> d :: Counter -> Discard;"
        f"w :: ICMPRewriter(r s) -> e :: Counter -> Discard; {sources}"
    )
    router = run(text + "StaticThreadSched(i0 0, i1 1, i2 2, i3 3);", threads=4)
    router.start()
    eventually(lambda: all(number(router, f"i{n}.count") == MANY // 8 for n in range(4)))
    router.stop()
    router.settle()
    assert (number(router, "c.count"), number(router, "d.count")) == (MANY // 2, MANY // 2)
    assert [number(router, f"{name}.table_size") for name in "rs"] == [4, 4]
    assert router.packets == 0


def test_elements_that_share_a_table_share_a_lock():
    text = "t :: ARPTable; a :: ARPQuerier(10.0.0.1, 0:0:0:0:0:1, TABLE t); b :: ARPQuerier(10.0.0.2, 0:0:0:0:0:2, TABLE t);"
    ports = "".join(f"Numbered(1) -> [0] {e}; Numbered(1) -> [1] {e}; {e}[0] -> Discard; {e}[1] -> Discard;" for e in "ab")
    assert locked(text + ports) == {"t": "t", "a": "t", "b": "t"}


# -- time, shares, rest -----------------------------------------------------------------------------------------------


def test_simulated_time_passes_when_all_threads_are_idle(run):
    """A timer on one thread and a slow way through three: what a tick causes is over before the next one."""
    router = run(
        "t :: Ticker(1000000) -> q1 :: Queue(1) -> u1 :: Unqueue -> q2 :: Queue(1) -> u2 :: Unqueue -> c :: Counter -> Discard;"
        "t2 :: Ticker(1500000) -> c2 :: Counter -> Discard; StaticThreadSched(u1 1, u2 2, t2 2);",
        threads=3,
        clock=0,
    )
    router.start()
    assert eventually(lambda: router.clock >= 2 * SECOND, 30)
    router.stop()
    milliseconds = router.clock // 10**6
    assert (number(router, "q1.drops"), number(router, "q2.drops")) == (0, 0)
    assert abs(number(router, "c.count") - milliseconds) <= 1
    assert abs(number(router, "c2.count") - milliseconds * 2 // 3) <= 1


def test_shares_follow_tickets(run):
    router = run(
        "a :: InfiniteSource -> Discard; b :: InfiniteSource -> Discard; c :: InfiniteSource -> Discard;ScheduleInfo(a 0.5, b 1, c 2.5);",
    )
    router.library.runtime_settle(router._runtime, 1000)
    shares = [number(router, f"{name}.count") for name in "abc"]
    for share, expected in zip(shares, (0.125, 0.25, 0.625)):
        assert share / sum(shares) == pytest.approx(expected, rel=0.01)
    router.handlers.write("a", "tickets", "3072")
    router.library.runtime_settle(router._runtime, 1000)
    gained = [number(router, f"{name}.count") - before for name, before in zip("abc", shares)]
    for share, expected in zip(gained, (3072, 1024, 2560)):
        assert share / sum(gained) == pytest.approx(expected / 6656, rel=0.01)


def test_idle_threads_sleep(run):
    others = threads()
    router = run(
        "FromDevice(d) -> q :: Queue -> u1 :: Unqueue -> Queue -> u2 :: Unqueue -> c :: Counter -> Discard;"
        "r :: RatedSource(RATE 0) -> Queue -> u3 :: Unqueue -> Discard; StaticThreadSched(u1 1, u2 2, u3 3);",
        threads=4,
    )
    router.start()
    for i in range(100):
        router.inject("d", b"x" * 60, settle=False)
        assert eventually(lambda count=i + 1: number(router, "c.count") == count), "each sleeping thread is woken in turn"
    assert wakes_rarely(threads() - others)
    router.stop()


def test_all_threads_may_ask_for_the_end(run):
    for asked, enough in ((5, True), (6, False)):
        router = run(f"MTDieTest; DriverManager(wait_stop {asked - 1});", threads=5)
        router.start()
        assert any(router.wait(0.1) for _ in range(50 if enough else 3)) == enough
        router.stop()


def test_handlers_of_tasks(run):
    router = run(
        "i :: InfiniteSource(ACTIVE false) -> q :: Queue -> u :: Unqueue -> d :: Discard;",
        threads=2,
    )
    read, write = router.handlers.read, router.handlers.write
    assert [read("u", name) for name in ("home_thread", "tickets", "scheduled")] == ["0", "1024", "true"]
    router.settle()
    assert read("u", "scheduled") == "false"
    for asked, got in (("0", "1"), ("99999", "32768"), ("512", "512")):
        write("u", "tickets", asked)
        assert read("u", "tickets") == got
    for wrong in ("2", "x"):
        with pytest.raises(HandlerError):
            write("u", "home_thread", wrong)
    listed = {name: set(read(name, "handlers").split("\n")) for name in "iqud"}
    assert {"home_thread\trw", "tickets\trw", "scheduled\tr"} <= listed["u"] & listed["i"]
    assert "scheduled\tr" not in listed["d"] | listed["q"], "no task: packets are pushed at it"


def affinities() -> dict[str, set[int]]:
    tasks = os.listdir("/proc/self/task")
    return {Path(f"/proc/self/task/{task}/comm").read_text().strip(): os.sched_getaffinity(int(task)) for task in tasks}


def test_threads_are_kept_to_their_cpus(run):
    allowed = os.sched_getaffinity(0)
    router = run("Idle -> Discard", threads=2)
    router.start()
    try:
        first = min(allowed)
        router.pin(first)
        assert os.sched_getaffinity(0) == {first}
        assert affinities()["clickbpf/0"] == {first}
        assert affinities()["clickbpf/1"] == ({first + 1} if first + 1 in allowed else allowed)
        with pytest.raises(ClickError, match="CPU 1000"):
            router.pin(1000)
    finally:
        os.sched_setaffinity(0, allowed)
        router.stop()
    after = run("Idle -> Discard", threads=2, replaces=router)
    after.start()
    assert affinities()["clickbpf/0"] == {first}, "as those of the router before"
    after.stop()

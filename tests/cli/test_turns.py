"""Whose turn it is: the order in which tasks run, as in Click, whose outputs these are (`click --simtime`)."""

import pytest

#: Two sources push at a small queue, and what is pulled from it is dropped on the way.
DROPPED_ON_THE_WAY = """
    s1 :: InfiniteSource(DATA a, LIMIT 10, BURST 5) -> Print(a, 0) -> q :: {queue}(2);
    s2 :: RatedSource(DATA b, RATE 1, LIMIT 1) -> Print(b, 0) -> q;
    q -> Print(pull, 0) -> CheckLength(0) -> TimedUnqueue(0.5, 4) -> Discard;
    DriverManager(wait 3s, read q.drops, stop);
"""


def lines(clickbpf, text: str) -> list[str]:
    done = clickbpf("run", "--simtime", "-e", text)
    assert done.status == 0, done.err
    return [line.split(":")[0] if line.endswith(":    1") else line for line in done.err.splitlines() if "overflow" not in line]


def test_a_pull_ends_where_a_packet_is_dropped(clickbpf):
    """A burst ends there, and so does the turn: the source pushes before the next packet is pulled."""
    found = lines(clickbpf, DROPPED_ON_THE_WAY.format(queue="QuickNoteQueue"))
    assert found == [*"aaaaab", "pull", *"aaaaa", "pull", "pull", "q.drops:", "8"]


@pytest.mark.parametrize("elsewhere, pushed", [("Discard", 15), ("SimpleQueue(7) -> Unqueue(ACTIVE false) -> Discard", 15),
                                               ("Queue(7) -> Unqueue(ACTIVE false) -> Discard", 7)])  # fmt: skip
def test_a_source_waits_only_if_its_packets_can_go_nowhere_else(clickbpf, elsewhere, pushed):
    text = f"s :: InfiniteSource(LIMIT 15) -> t :: Tee -> Queue(5) -> Unqueue(ACTIVE false) -> Discard; t[1] -> {elsewhere};"
    assert lines(clickbpf, f"{text} DriverManager(wait 1s, read s.count, stop)")[-1] == str(pushed)


def test_of_timers_of_one_moment_the_scripts_comes_last(clickbpf):
    text = "m :: TimedSource(0.1) -> Discard; DriverManager(wait 1s, read m.count, stop);"
    assert lines(clickbpf, text)[-1] == "10"


@pytest.mark.parametrize("unqueue, counts", [("TimedUnqueue(200ms, 2)", "0 0 2 2 4 4 6 6"), ("Burster(1ms, 1)", "0 1 2 3 4 5 6 7")])
def test_a_script_sees_what_tasks_woken_at_its_moment_have_done(clickbpf, unqueue, counts):
    """The task of a timed element runs before the next timer; `click --simtime` prints these counts."""
    text = f"TimedSource(0.1) -> Queue -> {unqueue} -> c :: Counter -> Discard;"
    script = "Script(label x, print c.count, wait 0.1s, goto x $(lt $(c.count) 8), stop);"
    done = clickbpf("run", "--simtime", "-e", text + script)
    assert done.out.split() == counts.split()


def test_tokens_are_waited_for_in_whole_milliseconds(clickbpf):
    """From when they are missed on, so that the packet of the tenth second comes after the script has read."""
    rated = "Queue(10) -> BandwidthRatedUnqueue(RATE 10000Bps, BURST_BYTES 100)"
    text = f"InfiniteSource(LENGTH 100) -> {rated} -> c :: Counter -> Discard; DriverManager(wait 10s, read c.count, stop);"
    assert lines(clickbpf, text)[-1] == "1001"


def test_what_one_task_wakes_takes_its_turn_after_the_others(clickbpf):
    """Two packets of one moment, of which one passes two queues: `click --simtime` prints these lines."""
    found = lines(
        clickbpf,
        """
        InfiniteSource(DATA a, LIMIT 4) -> Print(a, 0) -> q :: Queue;
        TimedSource(0.1, b) -> Print(b, 0) -> q;
        TimedSource(0.1, c) -> Print(c, 0) -> Queue -> Unqueue -> Print(r, 0) -> q;
        q -> Unqueue -> Print(pull, 0) -> Discard;
        DriverManager(wait 0.15s, stop);
        """,
    )
    assert found == ["a", "pull"] * 4 + ["b", "pull", "c", "r", "pull"]


@pytest.mark.parametrize(
    "text, counts",
    [
        ("s :: InfiniteSource(LIMIT 9, STOP true) -> Discard; Script(read s.count);", []),
        ("s :: Idle -> c :: Counter -> Discard; Script(read c.count, stop); Script(read c.rate);", ["0"]),
    ],
)
def test_nothing_begins_once_the_driver_is_to_stop(clickbpf, text, counts):
    """As in Click, also without simulated time: scripts begin after the first turns of tasks, one after the other."""
    assert lines(clickbpf, text)[1::2] == counts

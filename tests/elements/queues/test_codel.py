"""CoDel: how long packets wait, and the law of drops (Nichols and Jacobson, Controlling Queue Delay, 2012, appendix)."""

import pytest

pytestmark = pytest.mark.executors("native")


def loaded(router, codel: str, stamp: str = "SetTimestamp(FIRST true) ->"):
    """A queue that 500 packets a second leave."""
    return router(
        f"FromDevice(a) -> {stamp} q :: Queue(2000) -> c :: {codel} -> Shaper(500) -> Unqueue -> n :: Counter -> Discard;",
        simtime=True,
    )


def run(r, milliseconds: int, every: int) -> list[int]:
    """The times of drops when a packet comes at this interval in milliseconds."""
    drops = []
    for time in range(milliseconds):
        before = int(r.read("c.drops"))
        if time % every == 0:
            r.send("a", bytes(60))
        r.advance(0.001)
        drops += [time] * (int(r.read("c.drops")) - before)
    return drops


def test_drops_come_at_intervals_that_shrink_with_the_root_of_their_number(router):
    drops = run(loaded(router, "CoDel"), 900, 1)
    # Packets wait 5 ms from 10 ms on. That may be a peak for 100 ms, and must have gone on for another 100 ms.
    assert drops[0] == pytest.approx(210, abs=4)
    for number, (one, next_) in enumerate(zip(drops, drops[1:]), 1):
        assert next_ - one == pytest.approx(100 / number**0.5, abs=4)
    assert len(drops) > 10


def test_nothing_is_dropped_while_packets_do_not_wait(router):
    assert run(loaded(router, "CoDel"), 1000, 2) == []


def test_packets_without_a_first_timestamp_pass(router):
    r = loaded(router, "CoDel", "")
    assert run(r, 400, 1) == [] and int(r.read("n.count")) > 100


def test_the_target_and_the_interval_are_those_given(router):
    drops = run(loaded(router, "CoDel(20ms, INTERVAL 200ms)"), 700, 1)
    # They wait 20 ms from 40 ms on.
    assert drops[:2] == [pytest.approx(440, abs=4), pytest.approx(640, abs=4)]


def test_handlers(router):
    r = loaded(router, "CoDel")
    assert (r.read("c.codel_target"), r.read("c.codel_interval")) == ("0.005000s", "0.100000s")
    assert (r.read("c.config"), r.read("c.queues")) == ("0.005000s, 0.100000 s, ", "q\n")
    r.write("c.codel_target", "50ms")
    r.write("c.codel_interval", "1.5")
    assert (r.read("c.codel_target"), r.read("c.codel_interval")) == ("0.050000s", "1.500000s")
    r.send("a", [bytes(60)] * 3)
    assert r.read("c.stats") == f"{r.read('q.length')} current queue\n0 drops\n"


def test_there_has_to_be_a_queue(router):
    with pytest.raises(Exception, match="no nearby Queues"):
        router("InfiniteSource(ACTIVE false) -> CoDel -> Unqueue -> Discard;")


MISTAKES = {"Idle -> Queue -> CoDel(QUEUES d) -> d :: Discard;": ["CoDel: 'd' is not a Storage element"]}

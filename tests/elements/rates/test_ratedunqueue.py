"""RatedUnqueue and BandwidthRatedUnqueue."""

import pytest

pytestmark = pytest.mark.executors("native")


@pytest.mark.parametrize(
    "unqueue, packets",
    [("RatedUnqueue(1000)", 5020), ("RatedUnqueue(50)", 239), ("RatedUnqueue(3)", 16), ("BandwidthRatedUnqueue(100kBps)", 5020)],
)
def test_the_rate_is_held_after_a_burst(passed, unqueue, packets):
    """A bucket for one token, as at 50 a second, has the next one a millisecond late, after 21 ms, as Click's has."""
    assert passed(unqueue, 5, length=100) == pytest.approx(packets, rel=0.01, abs=1)


def test_it_sleeps_without_packets_and_without_tokens(router):
    r = router("FromDevice(a) -> Queue -> u :: RatedUnqueue(10, BURST_SIZE 1) -> Queue -> ToDevice(b);", simtime=True)
    r.advance(10)
    # It tries ten times before the Queue lets it sleep, as `click --simtime` reports, too.
    assert r.read("u.calls").splitlines() == ["10 calls to run_task()", "0 empty runs", "0 pushes", "10 failed pulls"]
    assert len(r.send("a", [bytes(60)] * 3)) == 1
    assert len(r.advance(0.05)) == 0
    assert len(r.advance(0.052)) == 1
    assert len(r.advance(0.101)) == 1
    assert r.read("u.calls").splitlines()[2] == "3 pushes"


def test_handlers(passed):
    r = passed("u :: RatedUnqueue(1000, BURST_SIZE 1)")
    assert (r.read("u.rate"), r.read("u.config"), r.read("u.active")) == ("1000", "1000", "true")
    r.write("u.active", "false")
    before = int(r.read("c.count"))
    r.advance(1)
    assert int(r.read("c.count")) == before
    r.write("u.rate", 100)
    r.write("u.active", "true")
    r.advance(1)
    assert int(r.read("c.count")) - before == pytest.approx(1000 / 11, abs=1)


def test_mistakes(refused_router):
    said = refused_router("Idle -> RatedUnqueue(1000, BURST_SIZE 3, BURST_DURATION 1) -> Discard;")
    assert said == "RatedUnqueue: cannot specify both BURST_DURATION and BURST_SIZE"

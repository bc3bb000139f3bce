"""TimedUnqueue and Burster: some packets each interval."""

import pytest

pytestmark = pytest.mark.executors("native")


@pytest.mark.parametrize(
    "unqueue, packets", [("TimedUnqueue(100ms)", 1), ("TimedUnqueue(0.1, 3)", 3), ("Burster(100ms)", 8), ("Burster(0.1, 2)", 2)]
)
def test_a_burst_passes_each_interval(router, unqueue, packets):
    r = router(f"FromDevice(a) -> Queue -> {unqueue} -> Queue -> ToDevice(b);", simtime=True)
    assert len(r.send("a", [bytes(60)] * 30)) == 0  # it has looked for packets at the start
    for _ in range(3):
        assert len(r.advance(0.0999)) == 0
        assert len(r.advance(0.0001)) == packets


def test_packets_do_not_wake_it_before_its_time_and_after_ten_times_without_pass_at_once(router):
    """Click's Queues begin to sleep when they were asked in vain ten times in a row."""
    r = router("FromDevice(a) -> Queue -> TimedUnqueue(1) -> Queue -> ToDevice(b);", simtime=True)
    assert len(r.send("a", bytes(60))) == 0
    assert len(r.advance(1)) == 1
    r.advance(8.5)
    assert len(r.send("a", bytes(60))) == 0
    assert len(r.advance(0.5)) == 1
    r.advance(9.5)
    assert r.executor.runtime.next_timer is not None
    r.advance(0.5)
    assert r.executor.runtime.next_timer is None
    assert len(r.send("a", bytes(60))) == 1


@pytest.mark.parametrize("class_", ["TimedUnqueue", "Burster"])
def test_mistakes(refused_router, class_):
    assert refused_router(f"Idle -> {class_}(1s, 0) -> Discard;") == f"{class_}: bad BURST"

"""DelayShaper, DelayUnqueue, LinkUnqueue: packets come later."""

import pytest

pytestmark = pytest.mark.executors("native")


def delayed(router, element: str, before: str = ""):
    return router(f"FromDevice(a) -> {before} Queue -> {element} -> Queue -> ToDevice(b);", simtime=True)


BOTH = pytest.mark.parametrize("element", ["d :: DelayUnqueue(20ms)", "d :: DelayShaper(20ms) -> Unqueue"])


@BOTH
def test_packets_wait_from_their_arrival(router, element):
    """Each counts from its own timestamp, so two that come 5 ms apart leave 5 ms apart."""
    r = delayed(router, element)
    r.send("a", bytes([1] * 60))
    r.advance(0.005)
    r.send("a", bytes([2] * 60))
    assert r.advance(0.0149) == []
    assert [output.data[0] for output in r.advance(0.0001)] == [1]
    assert r.advance(0.0049) == []
    assert [output.data[0] for output in r.advance(0.0001)] == [2]


@BOTH
def test_a_packet_whose_time_is_over_passes_at_once(router, element):
    r = delayed(router, element, "SetTimestamp(1.001) ->")
    r.advance(2)
    r.send("a", bytes(60))
    r.expect("b", bytes(60))


@BOTH
def test_the_delay_can_be_written(router, element):
    r = delayed(router, element)
    assert r.read("d.delay") == "20ms"
    r.write("d.delay", "1.5")
    assert r.read("d.delay") == "1.500000s"
    r.send("a", bytes(60))
    assert r.advance(1.4) == [] and len(r.advance(0.2)) == 1
    with pytest.raises(Exception, match="delay"):
        r.write("d.delay", "soon")


def test_a_link_sends_packets_one_behind_another_and_delays_them(router):
    """100 bytes at 80 kbit/s take 10 ms; and 50 ms to travel."""
    r = delayed(router, "l :: LinkUnqueue(50ms, 80kbps)")
    r.send("a", [bytes([i] * 100) for i in range(3)])
    times = []
    for millisecond in range(1, 100):
        times += [(output.data[0], millisecond) for output in r.advance(0.001)]
    assert times == [(0, 60), (1, 70), (2, 80)]


def test_a_link_that_was_idle_begins_anew(router):
    r = delayed(router, "l :: LinkUnqueue(5ms, 80kbps)")
    r.advance(1)
    r.send("a", bytes(100))
    assert r.read("l.size") == "1"
    r.advance(0.012)
    r.send("a", bytes(100))
    assert len(r.advance(0.003)) == 1
    assert r.advance(0.0119) == [] and len(r.advance(0.0002)) == 1


def test_the_link_holds_its_bandwidth_and_what_waits_is_in_the_queue(router):
    r = router(
        "InfiniteSource(LENGTH 125) -> q :: Queue(10) -> l :: LinkUnqueue(10ms, 1Mbps) -> c :: Counter -> Discard;",
        simtime=True,
    )
    r.advance(5)
    assert int(r.read("c.count")) == pytest.approx(5000, rel=0.01)
    # 10 ms at 1000 packets a second, and those that are partly on the link.
    assert 10 <= int(r.read("l.size")) <= 12 and r.read("q.length") == "10"


def test_a_link_that_is_never_full_lets_others_run(router):
    """60 bytes take less than the microsecond in which the link counts."""
    r = router("s :: InfiniteSource(LENGTH 60, LIMIT 9999, ACTIVE false) -> l :: LinkUnqueue(1s, 1Gbps) -> Discard;", simtime=True)
    runtime = r.executor.runtime
    runtime.handlers.write("s", "active", "true")
    runtime.turn(1)
    assert 0 < int(r.read("l.size")) < 1000
    r.write("l.latency", "0s")
    r.advance(1)
    assert r.read("l.size") == "0" and r.read("s.count") == "9999"


def test_link_handlers(router):
    r = delayed(router, "l :: LinkUnqueue(1500us, 1Mbps)")
    assert (r.read("l.latency"), r.read("l.bandwidth"), r.read("l.size")) == ("1500us", "125000", "0")
    r.send("a", [bytes(1000)] * 3)
    assert r.read("l.size") == "1"
    r.write("l.bandwidth", "999kbps")
    assert r.read("l.bandwidth") == "124800"
    r.write("l.latency", "2s")
    r.write("l.reset")
    assert r.advance(1.9) == []
    with pytest.raises(Exception, match="too small"):
        r.write("l.bandwidth", "10Bps")


@BOTH
def test_a_timestamp_of_the_first_second_is_none(router, element):
    """As in Click with the timestamps of traces that begin at 0: the delay counts from now."""
    r = delayed(router, element, "SetTimestamp(0.5) ->")
    r.advance(2)
    r.send("a", bytes(60))
    r.expect_nothing()
    r.advance(0.02)
    r.expect("b", bytes(60))


def test_a_link_holds_so_many_packets(router):
    """At 30 Gbps a packet of 60 bytes takes no measurable time, so packets would be pulled for all of LATENCY. None is lost: the
    others wait."""
    r = router("s :: InfiniteSource(LENGTH 60, LIMIT 100000) -> q :: Queue(100000) -> l :: LinkUnqueue(1s, 30Gbps) -> c :: Counter"
               " -> Discard;", simtime=True)  # fmt: skip
    r.advance(0.9)
    assert (r.read("l.size"), r.read("q.length"), r.read("c.count")) == ("65536", "34464", "0")
    r.advance(1.5)
    assert (r.read("l.size"), r.read("q.length"), r.read("c.count")) == ("0", "0", "100000")


MISTAKES = {"Idle -> LinkUnqueue(1ms, 80) -> Discard;": ["LinkUnqueue: bandwidth too small, minimum 100Bps"]}

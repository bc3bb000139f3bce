"""Shaper and BandwidthShaper: even rates."""

import pytest

pytestmark = pytest.mark.executors("native")


@pytest.mark.parametrize("rate, seconds", [(1000, 5), (3, 100), (7001, 1)])
def test_a_rate_of_packets_is_held(passed, rate, seconds):
    assert passed(f"Shaper({rate}) -> Unqueue", seconds) == pytest.approx(rate * seconds, rel=0.01)


@pytest.mark.parametrize(
    "rate, bytes_, length, seconds", [("1MBps", 10**6, 1000, 5), ("800kbps", 10**5, 61, 3), ("100Bps", 100, 1500, 3000)]
)
def test_a_rate_of_bytes_is_held(passed, rate, bytes_, length, seconds):
    count = passed(f"BandwidthShaper({rate}) -> Unqueue", seconds, length)
    assert count * length == pytest.approx(bytes_ * seconds, rel=0.01)


def test_packets_are_spread_evenly(passed):
    r = passed("Shaper(100) -> Unqueue")
    r.advance(1)
    counts = []
    for _ in range(20):
        r.advance(0.1)
        counts.append(int(r.read("c.count")))
    assert all(abs(later - earlier - 10) <= 1 for earlier, later in zip(counts, counts[1:]))


def test_it_sleeps_until_the_next_packet_is_due(passed):
    r = passed("Shaper(10) -> u :: Unqueue")
    r.advance(1)
    runtime = r.executor.runtime
    assert 0 < runtime.next_timer - runtime.clock <= 100_000_000


def test_a_late_packet_passes_at_once_and_later_ones_catch_up_no_more_than_a_second(router):
    r = router("FromDevice(a) -> Queue -> Shaper(10) -> ToDevice(b);", simtime=True)
    r.send("a", bytes(60))
    r.advance(30)
    sent = len(r.send("a", [bytes(60)] * 50))
    assert 1 <= sent <= 11
    assert sent + len(r.advance(10)) >= 50


def test_output_1_has_what_output_0_may_not(router):
    r = router(
        """
        FromDevice(a) -> Queue -> s :: Shaper(10) -> Unqueue -> few :: Counter -> Discard;
        s[1] -> Unqueue -> rest :: Counter -> Discard;
        """,
        simtime=True,
    )
    for _ in range(100):
        r.send("a", [bytes(60)] * 2)
        r.advance(0.01)
    assert int(r.read("few.count")) + int(r.read("rest.count")) == 200
    assert 9 <= int(r.read("few.count")) <= 12


def test_handlers(passed):
    r = passed("s :: Shaper(10) -> Unqueue")
    assert (r.read("s.rate"), r.read("s.config")) == ("10", "10")
    r.advance(1)
    before = int(r.read("c.count"))
    r.write("s.rate", 1000)
    r.advance(1)
    assert int(r.read("c.count")) - before == pytest.approx(1000, rel=0.01)
    r.write("s.reset")
    r.write("s.rate", 0)
    before = int(r.read("c.count"))
    r.advance(5)
    assert int(r.read("c.count")) - before <= 1
    with pytest.raises(Exception, match="rate"):
        r.write("s.rate", "fast")


def test_bandwidths_are_shown_in_bits(passed):
    assert passed("s :: BandwidthShaper(1000) -> Unqueue").read("s.rate") == "8kbps"


def test_a_rate_beyond_all_is_lowered(capfd, passed):
    assert passed("s :: Shaper(4200000000) -> Unqueue(ACTIVE false)").read("s.rate") == "4096000000"
    assert "rate too large; lowered to 4096000000" in capfd.readouterr().err

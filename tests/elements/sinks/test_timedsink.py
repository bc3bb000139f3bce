"""TimedSink: packets pulled at regular intervals, in simulated time."""

import pytest

pytestmark = pytest.mark.executors("native")


def test_one_packet_each_interval(router):
    r = router("InfiniteSource(LIMIT 10) -> q :: Queue -> s :: TimedSink(0.2);", simtime=True)
    r.advance(0.19)
    assert r.read("q.length") == "10"
    r.advance(0.02)
    assert r.read("q.length") == "9"
    r.advance(1)
    assert r.read("q.length") == "4"
    assert r.dropped("s", "DISCARDED") == 6
    r.advance(10)
    assert r.dropped("s") == 10


def test_interval(router):
    r = router("InfiniteSource(LIMIT 10) -> q :: Queue -> s :: TimedSink;", simtime=True)
    assert r.read("s.interval") == "500ms"
    r.write("s.interval", "20ms")
    assert r.read("s.interval") == "20ms"
    r.advance(0.541)
    assert r.read("q.length") == "7"
    for value in ("0", "x"):
        with pytest.raises(Exception, match="bad interval|'x'"):
            r.write("s.interval", value)

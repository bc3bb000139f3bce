"""TimedSource: packets at regular intervals, in simulated time."""

import pytest

pytestmark = pytest.mark.executors("native")


def test_a_packet_each_interval_the_first_after_one(router):
    r = router('TimedSource(0.2, "abc") -> Pad(60) -> Queue -> ToDevice(a);', simtime=True)
    assert r.advance(0.199) == []
    for _ in range(3):
        assert [output.data for output in r.advance(0.2)] == [b"abc".ljust(60, b"\0")]
    assert len(r.advance(2)) == 10


def test_half_a_second_by_default(router):
    r = router("s :: TimedSource -> Discard;", simtime=True)
    r.advance(10)
    assert (r.read("s.count"), r.read("s.interval")) == ("20", "500ms")
    assert len(r.read("s.data")) >= 64


def test_limit_and_reset(router):
    r = router("s :: TimedSource(1, LIMIT 2) -> Discard;", simtime=True)
    r.advance(5)
    assert (r.read("s.count"), r.read("s.limit")) == ("2", "2")
    r.write("s.reset")
    r.advance(0.1)
    assert r.read("s.count") == "1", "at once: it had given up waiting"


def test_the_driver_stops_at_the_limit(router):
    r = router("s :: TimedSource(1, LIMIT 2, STOP true) -> Discard; DriverManager(wait_stop, write s.interval 7);", simtime=True)
    r.advance(2.5)
    assert (r.read("s.count"), r.read("s.interval")) == ("2", "1.000000s")
    r.advance(1)
    assert (r.read("s.count"), r.read("s.interval")) == ("2", "7.000000s")


def test_active(router):
    r = router("s :: TimedSource(1, ACTIVE false) -> Discard;", simtime=True)
    r.advance(5)
    assert (r.read("s.count"), r.read("s.active")) == ("0", "false")
    r.write("s.active", "true")
    r.advance(0.01)
    assert (r.read("s.count"), r.read("s.active")) == ("1", "true")
    r.write("s.active", "false")
    r.advance(5)
    assert r.read("s.count") == "1"


def test_handlers(router):
    r = router("s :: TimedSource(0.1, HEADROOM 3) -> Print(HEADROOM true) -> q :: Queue -> c :: Counter -> Discard;", simtime=True)
    assert [r.read(f"s.{name}") for name in ("interval", "headroom", "limit")] == ["100ms", "3", "-1"]
    r.write("s.interval", "1.5")
    r.write("s.data", "12345")
    r.write("s.headroom", "300")
    r.write("s.limit", "2")
    assert [r.read(f"s.{name}") for name in ("interval", "data", "headroom", "limit")] == ["1.500000s", "12345", "300", "2"]
    r.advance(10)
    assert (r.read("c.count"), r.read("c.byte_count")) == ("2", "10")
    for value in ("0", "x"):
        with pytest.raises(Exception, match="bad interval|'x'"):
            r.write("s.interval", value)


def test_room_in_front_of_packets(router, capfd):
    r = router("TimedSource(1, HEADROOM 100) -> Print(HEADROOM true) -> Discard;", simtime=True)
    r.advance(1.5)
    assert "(h100 " in capfd.readouterr().err

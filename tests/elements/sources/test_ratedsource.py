"""RatedSource: packets at a rate, in simulated time."""

import pytest

pytestmark = pytest.mark.executors("native")


def sent(router, source: str, seconds: float) -> int:
    """Packets that it pushes in that time."""
    r = router(f"s :: {source} -> c :: Counter -> Discard;", simtime=True)
    r.advance(seconds)
    return int(r.read("c.count"))


@pytest.mark.parametrize(
    ("arguments", "packets"),
    [
        ("", 2 + 50),
        ("RATE 1000", 10 + 5000),
        ("abc, 3", 2 + 15),
        ("RATE 0", 0),
        ("BANDWIDTH 8kbps, LENGTH 100", 200 + 50),
        ("DATA 0123456789, BANDWIDTH 1kBps", 2 + 500),
        ("RATE 1000, LIMIT 7", 7),
        ("RATE 1000, ACTIVE false", 0),
    ],
)
def test_the_rate_is_held_after_a_burst(router, arguments, packets):
    """Click's bursts: 2 packets, a hundredth of the rate above 200, or with BANDWIDTH twice LENGTH if that is more."""
    assert sent(router, f"RatedSource({arguments})", 5) == pytest.approx(packets, abs=1, rel=0.001)


@pytest.mark.parametrize(
    ("arguments", "data"),
    [("abc", b"abc"), ("\\<00 ff>", b"\x00\xff"), ("abc, LENGTH 7", b"abcabca"), ("abc, LENGTH 2", b"ab"), ("abc, DATASIZE 4", b"abca")],
)
def test_packets(router, arguments, data):
    r = router(f"RatedSource({arguments}) -> Pad(60) -> Queue -> ToDevice(a);", simtime=True)
    assert {output.data for output in r.advance(0.01)} == {data.ljust(60, b"\0")}


def test_it_can_be_pulled_from(router):
    r = router("RatedSource(RATE 100) -> u :: Unqueue -> c :: Counter -> Discard;", simtime=True)
    r.advance(5)
    assert int(r.read("c.count")) == pytest.approx(2 + 500, abs=1)


def test_it_catches_up_on_no_more_than_a_burst(router):
    """A hundredth of the rate, in packets; Click's burst."""
    r = router("s :: RatedSource(RATE 1000) -> u :: Unqueue(ACTIVE false) -> c :: Counter -> Discard;", simtime=True)
    r.advance(3)
    r.write("u.active", "true")
    assert int(r.read("c.count")) <= 11


def test_the_driver_stops_at_the_limit(router):
    r = router("s :: RatedSource(RATE 10, LIMIT 3, STOP true) -> Discard; DriverManager(wait_stop, write s.rate 77);", simtime=True)
    r.advance(0.09)
    assert (r.read("s.count"), r.read("s.rate")) == ("2", "10")
    r.advance(1)
    assert (r.read("s.count"), r.read("s.rate")) == ("3", "77")


def test_handlers(router):
    r = router("s :: RatedSource(abc, 300, 5) -> Queue -> c :: Counter -> Discard;", simtime=True)
    names = ("data", "rate", "limit", "active", "length", "datasize", "count")
    r.advance(1)
    assert [r.read(f"s.{name}") for name in names] == ["abc", "300", "5", "true", "-1", "-1", "5"]
    r.write("s.reset")
    r.advance(1)
    assert (r.read("s.count"), r.read("c.count")) == ("5", "10")
    r.write("s.limit", "-1")
    r.write("s.rate", "7")
    assert (r.read("s.limit"), r.read("s.rate")) == ("-1", "7")
    r.advance(2)
    assert int(r.read("s.count")) == pytest.approx(5 + 3 + 14, abs=1), "3 packets were due when it rested"
    r.write("s.active", "false")
    before = r.read("s.count")
    r.advance(1)
    assert r.read("s.count") == before
    r.write("s.length", "9")
    r.write("s.data", "x")
    assert (r.read("s.datasize"), r.read("s.data")) == ("9", "x")
    bytes_before = int(r.read("c.byte_count"))
    r.write("s.active", "true")
    r.advance(0.01)
    assert int(r.read("c.byte_count")) == bytes_before + 2 * 9, "two packets were due, as much as it catches up on"
    for name, value in (("rate", "-1"), ("limit", "x"), ("active", "7"), ("length", "x")):
        with pytest.raises(Exception, match=f"'{value}' is not"):
            r.write(f"s.{name}", value)


MISTAKES = {"RatedSource(BANDWIDTH 1Mbps, LENGTH 0) -> Discard;": "packets without data have no bandwidth"}

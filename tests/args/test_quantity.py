"""Time and bandwidth: Click's SecondsArg and BandwidthArg (documented at cp_seconds_as and cp_bandwidth)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clickbpf.args import ArgError, Bandwidth, Time

SECOND = 10**9


@pytest.mark.parametrize("text", ["3600", "3600s", "3600 sec", "3.6e6 msec", "60m", "60min", "1 hr", "1h", "0.0416666666666666666 d"])
def test_an_hour(text):
    assert Time().parse(text) == 3600 * SECOND


@pytest.mark.parametrize(
    "text, nanoseconds",
    [("1ns", 1), ("1.5us", 1500), ("20ms", 20_000_000), ("1 nsec", 1), (".5", SECOND // 2), ("1day", 86400 * SECOND), ("0", 0)],
)
def test_units(text, nanoseconds):
    assert Time().parse(text) == nanoseconds


@pytest.mark.parametrize(
    "digits, text, value",
    [
        (0, "1.99 hr", 7164),
        (0, "1.99 s", 2),
        (1, "1.99 s", 20),
        (2, "1.99 s", 199),
        (0, "1ms", 0),
        (3, "1ms", 1),
        (3, "1.9ms", 2),
        (6, "1ms", 1000),
        (6, "1.9ms", 1900),
        (0, "72 ms", 0),
    ],
)
def test_precision(digits, text, value):
    """Click counts in units of 10^-digits seconds; here the same moment is in nanoseconds."""
    assert Time(digits).parse(text) == value * 10 ** (9 - digits)


@pytest.mark.parametrize("text", ["-1s", "s", "1 x", "1 ks", "1 m s", "ten", "1hrs"])
def test_not_a_time(text):
    with pytest.raises(ArgError, match="is not a time"):
        Time().parse(text)


def test_time_bounds():
    with pytest.raises(ArgError, match="out of range, bound 1.000000s"):
        Time(high=SECOND).parse("1001ms")
    with pytest.raises(ArgError, match="out of range, bound 10ms"):
        Time(low=10_000_000).parse("9ms")
    with pytest.raises(ArgError, match="out of range"):
        Time().parse("1e12 s")


@pytest.mark.parametrize(
    "nanoseconds, text",
    [(20_000_000, "20ms"), (1_500_000, "1500us"), (1, "1ns"), (0, "0ms"), (1_500_000_000, "1.500000s"), (2 * SECOND + 1, "2.000000001s")],
)
def test_time_shown_as_click_shows_intervals(nanoseconds, text):
    assert Time().unparse(nanoseconds) == text


@given(st.integers(0, 2**64 - 1))
def test_time_round_trip(nanoseconds):
    assert Time().parse(Time().unparse(nanoseconds)) == nanoseconds


@pytest.mark.parametrize(
    "text, bytes_per_second",
    [
        ("8", 8),
        ("8 baud", 1),
        ("8bps", 1),
        ("8b/s", 1),
        ("72 bps", 9),
        ("8Kbps", 1000),
        ("8kbps", 1000),
        ("8KBps", 8000),
        ("1.5 MB/s", 1_500_000),
        ("1Gbps", 125_000_000),
        ("100Gbps", 12_500_000_000),
        ("12 bps", 2),
    ],
)
def test_bandwidth(text, bytes_per_second):
    assert Bandwidth().parse(text) == bytes_per_second


@pytest.mark.parametrize("text", ["", "bps", "-8bps", "8 Tbps", "8 mbps", "8 k", "1 0bps"])
def test_not_a_bandwidth(text):
    with pytest.raises(ArgError, match="is not a bandwidth"):
        Bandwidth().parse(text)


@pytest.mark.parametrize(
    "value, text", [(1, "0.008kbps"), (125, "1kbps"), (125_000, "1Mbps"), (187_500, "1.5Mbps"), (125_000_000, "1Gbps"),
                    (2**29 - 1, "4.294967288Gbps"), (2**29, "536.870912MBps"), (2**32 - 1, "4294.967295MBps")]
)  # fmt: skip
def test_bandwidth_shown(value, text):
    assert Bandwidth().unparse(value) == text


@given(st.integers(0, 2**64 - 1))
def test_bandwidth_round_trip(value):
    assert Bandwidth().parse(Bandwidth().unparse(value)) == value

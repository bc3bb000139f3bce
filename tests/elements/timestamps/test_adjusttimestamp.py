"""AdjustTimestamp: adds to the timestamp, or to the annotation of the first one."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(64))


@pytest.mark.parametrize(
    "adjust, shown",
    [
        ("1.5", "101.500000\n"),
        ("-1.5", "98.500000\n"),
        ("-20ms, ALL true", "99.980000\n"),
        ("-100.25", "-0.250000\n"),
        ("1ns", "100.000000001\n"),
    ],
)
def test_the_time_is_added(router, adjust, shown):
    r = router(f"FromDevice(in) -> SetTimestamp(100) -> AdjustTimestamp({adjust}) -> seen :: SetTimestampDelta -> Queue -> ToDevice(out);")
    r.forwards("in", FRAME, "out")
    assert r.read("seen.first") == shown


@pytest.mark.parametrize("all_, expected", [("false", 0), ("true", 7)])
def test_no_timestamp_stays_none_unless_all_are_meant(element, all_, expected):
    x = element(f"AdjustTimestamp(7ns, FIRST true, ALL {all_})")
    x.passes(FRAME, FIRST_TIMESTAMP=expected)


def test_the_first_timestamp_and_the_handler(element):
    x = element("AdjustTimestamp(-1ms, FIRST true)", before="SetTimestamp(1, FIRST true)")
    x.passes(FRAME, FIRST_TIMESTAMP=999_000_000)
    for written, read in (("1.5", "1.500000s"), ("20ms", "20ms"), ("0.0000015", "1500ns"), ("-0.25", "-0.250000s"), ("-2", "-2.000000s")):
        x.write("time", written)
        assert x.read("time") == read
    x.refuses("time", "-soon", "-soon")
    x.send(FRAME)
    assert x.expect(0).carried["FIRST_TIMESTAMP"] == (10**9 - 2 * 10**9) % 2**64


CASES = [Case("AdjustTimestamp(-1.5, FIRST true)", before="SetTimestamp(7, FIRST true)")]
MISTAKES = {"AdjustTimestamp(-1x)": "'-1x' is not a time"}

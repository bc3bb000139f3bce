"""SetTimestamp: packets' timestamp, and the annotation of the first one. A SetTimestampDelta behind it tells what was set."""

import time

import pytest

from clickbpf.testing.equivalence import assert_element_equivalent

FRAME = bytes(range(64))


def timestamp(router, element: str) -> str:
    r = router(f"FromDevice(in) -> {element} -> seen :: SetTimestampDelta -> Queue -> ToDevice(out);")
    r.send("in", FRAME)
    r.expect("out", FRAME)
    return r.read("seen.first")


@pytest.mark.parametrize(
    "given, shown",
    [("5.5", "5.500000\n"), ("1000000000.000000001", "1000000000.000000001\n"), ("2min", "120.000000\n")],
)
def test_a_given_time(router, given, shown):
    assert timestamp(router, f"SetTimestamp({given})") == shown


def test_now(router):
    before = time.time()
    found = float(timestamp(router, "SetTimestamp(7) -> SetTimestamp"))
    assert before - 0.001 <= found <= time.time() + 0.001


def test_the_first_timestamp_is_another_one(element):
    x = element("SetTimestamp(5.5, FIRST true)")
    x.send(FRAME)
    x.expect(0, FRAME, FIRST_TIMESTAMP=5_500_000_000)


def test_the_first_timestamp_may_be_now(element):
    x = element("SetTimestamp(FIRST true)")
    before = time.time_ns()
    x.send(FRAME)
    assert before <= x.expect(0, FRAME).carried["FIRST_TIMESTAMP"] <= time.time_ns()


def test_mistakes(refused):
    assert refused("SetTimestamp(DELTA true)") == "SetTimestamp: SetTimestamp(DELTA) is deprecated, use SetTimestampDelta(TYPE FIRST)"
    assert "TIMESTAMP" in refused("SetTimestamp(-3)")


@pytest.mark.needs("root")
def test_both_executors_agree():
    assert_element_equivalent("SetTimestamp(5.5, FIRST true)")

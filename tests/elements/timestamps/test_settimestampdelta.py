"""SetTimestampDelta: differences of times. A second SetTimestampDelta shows the timestamp of the first packet."""

import pytest

from clickbpf.testing.equivalence import assert_equivalent

FRAME = bytes(range(64))
HEAD, TAIL = "FromDevice(in) -> ", " -> seen :: SetTimestampDelta -> Queue -> ToDevice(out);"


@pytest.mark.parametrize("first, shown", [("90.5", "9.500000\n"), ("110", "-10.000000\n")])
def test_since_the_first_timestamp(router, first, shown):
    r = router(f"{HEAD} SetTimestamp(100) -> SetTimestamp({first}, FIRST true) -> SetTimestampDelta(TYPE FIRST) {TAIL}")
    r.send("in", FRAME)
    assert r.read("seen.first") == shown


def test_until_now(router):
    r = router(f"{HEAD} SetTimestamp -> AdjustTimestamp(-100) -> SetTimestampDelta(TYPE NOW) {TAIL}")
    r.send("in", FRAME)
    assert 100 <= float(r.read("seen.first")) < 110


def test_since_the_first_packet(router):
    r = router(f"{HEAD} SetTimestamp(100) -> a :: AdjustTimestamp(0) -> d :: SetTimestampDelta(TYPE RANGE) {TAIL}")
    assert r.read("d.first") == "0.000000\n"
    r.send("in", FRAME)
    # A difference of 0 is no timestamp.
    assert (r.read("d.first"), r.read("seen.first")) == ("100.000000\n", "0.000000\n")
    r.write("a.time", "-1.000000001")
    r.send("in", FRAME)
    assert (r.read("d.first"), r.read("seen.first")) == ("100.000000\n", "-1.000000001\n")
    r.write("d.reset")
    assert r.read("d.first") == "0.000000\n"
    r.send("in", FRAME)
    assert r.read("d.first") == "98.999999999\n"


@pytest.mark.needs("root")
@pytest.mark.parametrize("type_", ["RANGE", "NOW", "FIRST"])
def test_both_executors_agree(type_):
    way = f"SetTimestamp(2, FIRST true) -> AdjustTimestamp(-0.5) -> SetTimestampDelta(TYPE {type_}) -> StoreTimestamp(0)"
    assert_equivalent(f"FromDevice(in) -> {way} -> Queue -> ToDevice(out);", 2000)

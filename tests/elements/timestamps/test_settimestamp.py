"""SetTimestamp: packets' timestamp, and the annotation of the first one. A SetTimestampDelta after it shows the timestamp."""

import time

import pytest
from tests.axes import axis

from clickbpf.testing.cases import Case
from clickbpf.testing.equivalence import assert_equivalent

FRAME = bytes(range(64))


def timestamp(router, element: str) -> str:
    r = router(f"FromDevice(in) -> {element} -> seen :: SetTimestampDelta -> Queue -> ToDevice(out);")
    r.forwards("in", FRAME, "out")
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
    x.passes(FRAME, FIRST_TIMESTAMP=5_500_000_000)


def test_the_first_timestamp_may_be_now(element):
    x = element("SetTimestamp(FIRST true)")
    before = time.time_ns()
    x.send(FRAME)
    assert before <= x.expect(0, FRAME).carried["FIRST_TIMESTAMP"] <= time.time_ns()


CASES = [Case(f"SetTimestamp({arguments})") for arguments in ["5.5, FIRST true", "FIRST true"]]


#: What shows a timestamp: in a program of the kernel, in the runtime after a handover, and both.
SHOWN = {"kernel": "StoreTimestamp(0)", "runtime": "StoreTimestamp(TAIL true)", "both": "StoreTimestamp(0) -> StoreTimestamp(TAIL true)"}


@pytest.mark.needs("root", "clang-19")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
@pytest.mark.parametrize("before", ["", "SetTimestamp(5.5) ->", "SetTimestamp(0) ->", "SetTimestamp ->"])
@pytest.mark.parametrize("shown", SHOWN)
def test_timestamps_are_the_same_on_both_executors(before, shown, hook):
    assert_equivalent(f"FromDevice(in) -> {before} {SHOWN[shown]} -> Queue -> ToDevice(out);", 300, executors=("native", hook))


@pytest.mark.needs("root")
def test_timestamps_cross_tail_calls():
    way = f"SetTimestamp(5.5) -> Null -> AdjustTimestamp(1.25) -> {SHOWN['both']}"
    assert_equivalent(f"FromDevice(in) -> {way} -> Queue -> ToDevice(out);", 200, chain=True)


@pytest.mark.needs("root")
@pytest.mark.parametrize("before, shown", [("SetTimestamp(7.5) ->", "7.500000"), ("", "3.000000")])
def test_looks_have_the_timestamp(router, capfd, before, shown):
    """What is printed is the timestamp that the packet has been given, or else the time at which it was seen."""
    r = router(f"FromDevice(in) -> {before} Print(TIMESTAMP true) -> Queue -> ToDevice(out);", executor="bpf", simtime=True)
    r.advance(3 - r.executor.runtime.clock / 1e9)
    r.send("in", FRAME)
    assert capfd.readouterr().err.startswith(f"{shown}: ")


@pytest.mark.needs("root")
def test_now_is_the_time_of_day_in_the_kernel(router):
    """Not that of CLOCK_TAI, and not since boot."""
    r = router("FromDevice(in) -> SetTimestamp -> StoreTimestamp(0) -> Queue -> ToDevice(out);", executor="bpf")
    before = time.time_ns()
    (output,) = r.send("in", FRAME)
    assert before <= int.from_bytes(output.data[:8], "little") <= time.time_ns()


MISTAKES = {"SetTimestamp(DELTA true)": ["SetTimestamp: SetTimestamp(DELTA) is deprecated, use SetTimestampDelta(TYPE FIRST)"]}

"""StoreTimestamp writes packets' timestamps into them; TimestampAccum adds up how old they are."""

import struct

import pytest
from tests.axes import axis

from clickbpf.testing.equivalence import assert_equivalent

FRAME = bytes(range(64))
TIME = struct.pack("=q", 5_500_000_000)


@pytest.mark.parametrize(
    "where, expected",
    [
        ("0", TIME + FRAME[8:]),
        ("56", FRAME[:56] + TIME),
        ("57", FRAME[:57] + TIME),
        ("70", FRAME + bytes(6) + TIME),
        ("TAIL true", FRAME + TIME),
    ],
)
def test_where_the_time_goes(router, where, expected):
    r = router(f"FromDevice(in) -> SetTimestamp(5.5) -> StoreTimestamp({where}) -> Queue -> ToDevice(out);")
    r.forwards("in", FRAME, "out", expected)


def test_the_ages_of_packets(router):
    r = router("FromDevice(in) -> SetTimestamp -> AdjustTimestamp(-2.5) -> t :: TimestampAccum -> Queue -> ToDevice(out);", simtime=True)
    assert (r.read("t.time"), r.read("t.average_time")) == ("0", "0")
    for _ in range(4):
        r.send("in", FRAME)
        r.advance(1)
    assert [r.read(f"t.{handler}") for handler in ("count", "time", "average_time")] == ["4", "10", "2.5"]
    r.write("t.reset_counts")
    assert [r.read(f"t.{handler}") for handler in ("count", "time")] == ["0", "0"]


def test_ages_of_centuries_add_up(router):
    """Six packets without a timestamp are older, all together, than 2^63 ns."""
    ages = "SetTimestamp -> AdjustTimestamp(-1700000000) -> t :: TimestampAccum"
    r = router(f"FromDevice(in) -> {ages} -> Queue -> ToDevice(out);", simtime=True)
    for _ in range(6):
        r.send("in", FRAME)
    assert [r.read(f"t.{handler}") for handler in ("count", "time", "average_time")] == ["6", "10200000000", "1700000000"]


@pytest.mark.needs("root")
@pytest.mark.parametrize("hook", axis("bpf", "tc"))
def test_both_executors_agree(hook):
    """Packets that end before the place are given up by the kernel path, which then has read the time."""
    ages = "a :: AdjustTimestamp(-1) -> t :: TimestampAccum"
    text = f"FromDevice(in) -> {ages} -> StoreTimestamp(60) -> u :: TimestampAccum -> Queue -> ToDevice(out);"
    assert_equivalent(text, 2000, executors=("native", hook), writes=[("a.time", "-1.5")])

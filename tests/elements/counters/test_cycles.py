"""SetCycleCount, CycleCountAccum and RoundTripCycleCount: cycles are nanoseconds."""

import pytest

from clickbpf.testing.cases import Case

FRAME = bytes(range(60))


def test_cycles_from_one_element_to_another(router):
    """Two packets wait, 3 and 1 seconds; a packet without a count is none of them."""
    r = router(
        """FromDevice(in) -> SetCycleCount -> Queue -> u :: Unqueue(ACTIVE false) -> c :: CycleCountAccum -> Queue -> ToDevice(out);
        FromDevice(other) -> c;""",
        simtime=True,
    )
    r.send("in", FRAME)
    r.advance(2)
    r.send("in", FRAME)
    r.advance(1)
    r.write("u.active", "true")
    for _ in range(2):
        r.send("other", FRAME)
    assert round(int(r.read("c.cycles")) / 1e9, 3) == 4
    assert (r.read("c.count"), r.read("c.zero_count")) == ("2", "2")
    r.write("c.reset_counts")
    assert [r.read(f"c.{name}") for name in ("cycles", "count", "zero_count")] == ["0"] * 3


@pytest.mark.executors("native")
def test_cycles_until_elements_are_done(router):
    """What it pushes packets to, and what it pulls them from."""
    r = router("FromDevice(in) -> push :: RoundTripCycleCount -> Queue -> pull :: RoundTripCycleCount -> Unqueue -> Discard;")
    for _ in range(3):
        r.send("in", FRAME)
    assert [r.read(f"{name}.packets") for name in ("push", "pull")] == ["3", "3"]
    assert all(int(r.read(f"{name}.cycles")) > 0 for name in ("push", "pull"))
    r.write("pull.reset_counts")
    assert (r.read("pull.packets"), r.read("pull.cycles")) == ("0", "0")


CASES = [Case("CycleCountAccum", packets=100)]

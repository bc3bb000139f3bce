"""Bypass: the longer way, while it is open; on push and on pull paths (Click's test Bypass-01)."""

import pytest

from clickbpf.testing.equivalence import assert_equivalent

FRAME = bytes(range(64))
PUSH = "FromDevice(in) -> x :: Bypass -> Queue -> ToDevice(out); x[1] -> StoreData(0, \\<ee>) -> [1]x;"
PULL = "FromDevice(in) -> Queue -> x :: Bypass -> ToDevice(out); FromDevice(other) -> Queue -> [1]x;"
ONE_WAY = "FromDevice(in) -> x :: Bypass -> Queue -> ToDevice(out); x[1] -> Queue -> ToDevice(other);"
CHANGED = b"\xee" + FRAME[1:]


def test_the_way_there_and_back(router):
    r = router(PUSH)
    for active, expected in (("false", FRAME), ("true", CHANGED), ("true", CHANGED), ("false", FRAME)):
        r.write("x.active", active)
        assert r.read("x.active") == active
        r.forwards("in", FRAME, "out", expected)
    r.expect_nothing()


@pytest.mark.whole
def test_pulls_come_from_one_input_or_the_other(router):
    r = router(PULL)
    r.send("other", CHANGED)
    r.send("in", FRAME)
    r.expect("out", FRAME)
    r.expect_nothing()
    r.write("x.active", "true")
    r.forwards("in", FRAME, "out", CHANGED)
    r.expect_nothing()
    r.write("x.active", "false")
    r.forwards("in", FRAME, "out")
    r.expect("out", FRAME)


def test_another_way(router):
    r = router(ONE_WAY.replace("Bypass", "Bypass(true, INLINE true)"))
    r.forwards("in", FRAME, "other")
    r.write("x.active", "no")
    r.forwards("in", FRAME, "out")


def test_without_another_way_it_is_of_no_effect(element):
    x = element("Bypass(true)")
    x.passes(FRAME)


@pytest.mark.needs("root")
def test_both_executors_agree():
    assert_equivalent(PUSH, writes=[("x.active", "true")])

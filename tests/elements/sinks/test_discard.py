"""Discard: counts what it drops, pushed or pulled."""

import pytest

from clickbpf.errors import ClickError
from clickbpf.testing.cases import Case

FRAME = bytes(64)
PULLED = "FromDevice(eth0) -> q :: Queue -> d :: Discard({});"


def test_pushed_packets_are_dropped_and_counted(router):
    r = router("FromDevice(eth0) -> d :: Discard;")
    r.send("eth0", [FRAME] * 3)
    r.expect_nothing()
    assert (r.read("d.count"), r.dropped("d", "DISCARDED")) == ("3", 3)
    r.write("d.reset_counts")
    r.send("eth0", FRAME)
    assert r.read("d.count") == "1"


@pytest.mark.parametrize("arguments", ["", "BURST 8", "BURST 0"])
def test_it_pulls_all_there_is(router, arguments):
    r = router(PULLED.format(arguments))
    r.send("eth0", [FRAME] * 20)
    assert (r.read("d.count"), r.read("q.length")) == ("20", "0")


def test_it_does_not_pull_while_it_is_not_active(router):
    r = router(PULLED.format("ACTIVE false"))
    r.send("eth0", [FRAME] * 3)
    assert (r.read("d.active"), r.read("d.count"), r.read("q.length")) == ("false", "0", "3")
    r.write("d.active", "true")
    r.send("eth0", FRAME)
    assert (r.read("d.active"), r.read("d.count"), r.read("q.length")) == ("true", "4", "0")
    r.write("d.active", "false")
    r.send("eth0", FRAME)
    assert (r.read("d.count"), r.read("q.length")) == ("4", "1")


CASES = [Case("Discard", noutputs=0, packets=300)]


@pytest.mark.executors("native")
def test_active_is_for_pulling_only(router):
    """Click refuses the argument on a push connection."""
    with pytest.raises(ClickError, match="ACTIVE is meaningless in push context"):
        router("FromDevice(a) -> Discard(ACTIVE false);")

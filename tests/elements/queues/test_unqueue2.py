"""Unqueue2: packets are pulled while there is room for them."""

import pytest

from clickbpf.compile import check_text
from clickbpf.vocabulary.library import Library

#: Packets wait in `first`, until the script takes the switch's output off Idle.
WAITING = """
    f :: Script(TYPE PASSIVE, write i.active true);
    i :: InfiniteSource(DATA "0", LIMIT 10, BURST 10, ACTIVE false) -> first :: Queue
        -> u :: Unqueue2({arguments}) -> {between} second :: Queue(4) -> slow :: Unqueue(ACTIVE false) -> Discard;
    other :: Queue(2) -> Unqueue(ACTIVE false) -> Discard;
    FromDevice(in) -> other;
"""


def lengths(r) -> tuple[str, str]:
    return r.read("first.length"), r.read("second.length")


@pytest.mark.parametrize(
    "arguments, between", [("QUIET true", ""), ("1, QUIET true", "Tee ->"), ("3, QUIET true", "Counter ->"), ("0, QUIET true", "")]
)
def test_packets_stay_while_the_next_queue_is_full(router, arguments, between):
    r = router(WAITING.format(arguments=arguments, between=between))
    r.write("f.run")
    assert lengths(r) == ("6", "4")
    assert r.read("u.packets") == "4 packets\n"
    r.write("slow.active", "true")
    assert lengths(r) == ("0", "0")
    assert r.read("u.packets") == "10 packets\n"
    assert r.read("second.drops") == "0"


def test_named_queues_count_instead(router):
    """A full one elsewhere holds it up; its own may overflow, once it has room for any."""
    r = router(WAITING.format(arguments="QUEUES other, QUIET true", between=""), simtime=True)
    r.send("in", [bytes(60)] * 2)
    r.write("f.run")
    assert lengths(r) == ("10", "0")
    r.write("other.reset")
    r.advance(0.01)
    assert lengths(r) == ("0", "4")
    assert r.read("second.drops") == "6"


def test_the_fullest_counts(router):
    r = router(WAITING.format(arguments="8, QUEUES other second first, QUIET true", between=""), simtime=True)
    r.write("f.run")
    assert lengths(r) == ("6", "4")
    assert r.read("second.drops") == "0"


def test_it_warns_unless_quiet():
    text = "Idle -> Queue -> Unqueue2({}) -> Discard;"
    warnings = [d.message for d in check_text(text.format(""), Library.standard()).warnings]
    assert len(warnings) == 1 and "Unqueue2 is deprecated, you should probably use Unqueue" in warnings[0]
    assert not check_text(text.format("QUIET true"), Library.standard()).warnings


@pytest.mark.executors("native")
@pytest.mark.parametrize("arguments", ["5", "BURST 5"])
def test_an_unqueues_burst_has_a_name_or_is_first(router, arguments):
    r = router(f"InfiniteSource(LIMIT 20, BURST 20) -> Queue -> u :: Unqueue({arguments}, LIMIT 12) -> Discard;")
    assert (r.read("u.burst"), r.read("u.limit")) == ("5", "12")


MISTAKES = {"Idle -> Queue -> u :: Unqueue2(QUEUES c) -> c :: Counter -> Discard;": "bad QUEUES"}

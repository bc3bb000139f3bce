"""Pipeliner: packets of all threads go on as those of one."""

import pytest
from tests.waiting import eventually

#: Two threads push, a third one takes what they push.
THREADS = "a :: InfiniteSource(LIMIT 300) -> p; b :: InfiniteSource(LIMIT 200) -> p; StaticThreadSched(a 0, b 1, p 2);"
WAYS = "p -> s :: CPUSwitch; s[0], s[1] => [0]other :: Counter -> Discard; s[2] -> own :: Counter -> Discard;"


def test_all_packets_go_on_in_its_own_thread(threaded, read):
    """FastClick's own test of it: nothing is lost of what several threads push at one that blocks."""
    router = threaded(f"p :: Pipeliner(4, BLOCKING true); {THREADS} {WAYS}", threads=3)
    router.start()
    assert eventually(lambda: [read(router, f"{name}.count") for name in ("p", "own", "other")] == ["500", "500", "0"])
    assert read(router, "p.highwater") in "01234"


def test_each_thread_has_its_own_room(threaded, read):
    router = threaded(f"p :: Pipeliner(CAPACITY 150, ACTIVE false) -> c :: Counter -> Discard; {THREADS}", threads=3)
    router.settle()
    assert [read(router, name) for name in ("p.count", "p.dropped", "c.count", "p.active")] == ["300", "200", "0", "false"]
    router.handlers.write("p", "active", "true")
    router.settle()
    assert read(router, "c.count") == "300"
    # What is left of the greater ring after a burst.
    assert read(router, "p.highwater") == str(150 - 32)


def test_rings_take_turns(threaded):
    """Each time another one is first."""
    text = "p :: Pipeliner(BURST 2, ACTIVE false) -> Queue -> ToDevice(o); a :: InfiniteSource(aaaaaaaaaaaaaaaa, 4) -> p;"
    router = threaded(f"{text} b :: InfiniteSource(bbbbbbbbbbbbbbbb, 4) -> p; StaticThreadSched(a 0, b 1, p 2);", threads=3)
    router.settle()
    router.handlers.write("p", "active", "true")
    router.settle()
    assert b"".join(frame[:1] for frame in router.collect("o")) == b"bbaaaabb"


@pytest.mark.parametrize("direct, counted", [("true", "0"), ("false", "30")])
def test_packets_of_its_own_thread(threaded, read, direct, counted):
    text = f"InfiniteSource(LIMIT 30) -> p :: Pipeliner(DIRECT_TRAVERSAL {direct}) -> c :: Counter -> Discard;"
    router = threaded(text, threads=1)
    router.settle()
    assert (read(router, "p.count"), read(router, "c.count")) == (counted, "30")


def test_a_thread_does_not_wait_for_itself(threaded, read):
    text = "InfiniteSource(LIMIT 9, BURST 9) -> p :: Pipeliner(4, BLOCKING true, DIRECT_TRAVERSAL false) -> c :: Counter -> Discard;"
    router = threaded(text, threads=1)
    router.settle()
    assert (read(router, "p.dropped"), read(router, "c.count")) == ("5", "4")


def test_a_router_ends_while_threads_wait(threaded, read):
    router = threaded(f"p :: Pipeliner(4, BLOCKING true, ACTIVE false) -> Discard; {THREADS}", threads=3)
    router.start()
    assert eventually(lambda: read(router, "p.dropped") == "2")


MISTAKES = {"Pipeliner(3)": "Pipeliner ring size must be at least 4"}

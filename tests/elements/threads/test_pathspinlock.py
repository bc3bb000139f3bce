"""PathSpinlock: one thread at a time beyond it, where packets are pushed and where they are pulled."""

import time

import pytest
from tests.waiting import eventually

#: Two threads with one way.
THREADS = "a :: InfiniteSource(LIMIT 50000) -> p; b :: InfiniteSource(LIMIT 50000) -> p; StaticThreadSched(b 1);"
#: Thread 0 gets a lock and keeps it; thread 1 has packets for the other element.
KEPT = "SpinlockInfo(l); a :: InfiniteSource(LIMIT 3) -> SpinlockAcquire(l) -> ca :: Counter -> Discard; StaticThreadSched(b 1);"


@pytest.mark.parametrize("lock", ["", "l"])
def test_all_packets_pass(threaded, read, lock):
    router = threaded(f"SpinlockInfo(l); p :: Null -> PathSpinlock({lock}) -> c :: Counter -> Discard; {THREADS}")
    router.start()
    eventually(lambda: read(router, "c.count") == "100000")
    router.stop()
    assert read(router, "c.count") == "100000"


def test_packets_keep_to_their_port(element):
    x = element("PathSpinlock", ninputs=3, noutputs=3)
    for port in (2, 0, 1):
        x.passes(bytes([port]) * 60, output=port, input=port)


@pytest.mark.parametrize(
    "way",
    [
        "b :: InfiniteSource(LIMIT 3, ACTIVE false) -> PathSpinlock(l) -> cb :: Counter -> Discard;",
        "InfiniteSource(LIMIT 3) -> Queue -> PathSpinlock(l) -> b :: Unqueue(ACTIVE false) -> cb :: Counter -> Discard;",
    ],
    ids=["push", "pull"],
)
def test_it_waits_for_a_lock_that_another_thread_has(threaded, read, way):
    router = threaded(KEPT + way)
    router.start()
    assert eventually(lambda: read(router, "ca.count") == "3")
    router.handlers.write("b", "active", "true")
    time.sleep(0.1)
    assert read(router, "cb.count") == "0"
    router.stop()


def test_pulled_packets_pass(threaded, read):
    router = threaded("a :: InfiniteSource(LIMIT 1000) -> Queue -> PathSpinlock -> Unqueue -> c :: Counter -> Discard")
    router.start()
    assert eventually(lambda: read(router, "c.count") == "1000")
    router.stop()


MISTAKES = {"PathSpinlock(nowhere)": "cannot locate spinlock nowhere"}

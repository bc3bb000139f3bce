"""SpinlockInfo, SpinlockAcquire, SpinlockRelease, SpinlockPush."""

import time

import pytest
from tests.waiting import eventually

#: Two threads with one way.
THREADS = "a :: InfiniteSource(LIMIT 50000) -> p; b :: InfiniteSource(LIMIT 50000) -> p; StaticThreadSched(b 1);"


@pytest.mark.parametrize(
    "way",
    [
        "SpinlockAcquire(l) -> Paint(1) -> c :: Counter -> SpinlockRelease(l) -> Discard",
        "SpinlockAcquire(l) -> SpinlockAcquire(l) -> c :: Counter -> SpinlockRelease(l) -> SpinlockRelease(l) -> Discard",
        "SpinlockPush(l) -> c :: Counter -> Discard",
    ],
    ids=["acquire and release", "twice", "push"],
)
def test_all_packets_pass(threaded, read, way):
    router = threaded(f"SpinlockInfo(k, l); p :: Null -> {way}; {THREADS}")
    router.start()
    eventually(lambda: read(router, "c.count") == "100000")
    router.stop()
    assert read(router, "c.count") == "100000"


def test_a_lock_keeps_the_other_thread_out(threaded, read):
    """Thread 0 takes the lock and never releases it: thread 1 waits for the end of the run."""
    router = threaded(
        "SpinlockInfo(l); a :: InfiniteSource(LIMIT 3) -> SpinlockAcquire(l) -> ca :: Counter -> Discard;"
        "b :: InfiniteSource(LIMIT 3, ACTIVE false) -> SpinlockAcquire(l) -> cb :: Counter -> Discard; StaticThreadSched(b 1);"
    )
    router.settle()
    router.start()
    router.handlers.write("b", "active", "true")
    assert eventually(lambda: read(router, "ca.count") == "3")
    time.sleep(0.1)
    assert (read(router, "ca.count"), read(router, "cb.count")) == ("3", "0")
    router.stop()


def test_who_does_not_hold_a_lock_can_not_release_it(threaded, read):
    router = threaded(
        "SpinlockInfo(l); a :: InfiniteSource(LIMIT 3) -> SpinlockAcquire(l) -> ca :: Counter -> Discard;"
        "b :: InfiniteSource(LIMIT 3) -> r :: SpinlockRelease(l) -> cb :: Counter -> Discard; StaticThreadSched(b 1);"
    )
    router.settle()
    assert (read(router, "ca.count"), read(router, "cb.count")) == ("3", "3")


def test_names_belong_to_their_compound(refused_router):
    text = "c :: { SpinlockInfo(inner); input -> SpinlockPush(inner) -> SpinlockPush(outer) -> output }; SpinlockInfo(outer);"
    assert refused_router(f"{text} Idle -> c -> SpinlockPush(inner) -> SpinlockAcquire() -> Discard;").splitlines() == [
        "SpinlockPush: cannot locate spinlock inner",
        "SpinlockAcquire: required argument LOCK is missing",
    ]

"""CPUQueue, CPUSwitch: a queue, or a way, for each thread."""

SOURCES = "a :: InfiniteSource(LIMIT 200) -> x; b :: InfiniteSource(LIMIT 100) -> x; StaticThreadSched(b 1);"


def test_each_thread_has_its_own_room(threaded, read):
    router = threaded(f"x :: CPUQueue(150) -> u :: Unqueue(ACTIVE false) -> Discard; {SOURCES}")
    router.settle()
    assert (read(router, "x.drops"), read(router, "x.capacity")) == ("50", "150")
    router.handlers.write("u", "active", "true")
    router.settle()
    assert read(router, "u.count") == "250"
    assert router.packets == 0


def test_pulls_take_turns_between_threads(threaded):
    text = "x :: CPUQueue(9) -> u :: Unqueue(LIMIT 4) -> Queue -> ToDevice(o); a :: InfiniteSource(aaaaaaaaaaaaaaaa, 9) -> x;"
    router = threaded(f"{text} b :: InfiniteSource(bbbbbbbbbbbbbbbb, 9) -> x; StaticThreadSched(b 1, u -1);")
    router.settle()
    router.handlers.write("u", "home_thread", "0")
    router.settle()
    assert b"".join(frame[:1] for frame in router.collect("o")) == b"abab"


def test_a_switch_goes_by_the_thread(threaded, read):
    router = threaded(f"x :: CPUSwitch; x[0] -> c0 :: Counter -> Discard; x[1] -> c1 :: Counter -> Discard; {SOURCES}")
    router.settle()
    assert [read(router, f"c{i}.count") for i in range(2)] == ["200", "100"]


def test_more_threads_than_outputs(threaded, read):
    router = threaded(f"x :: CPUSwitch -> c :: Counter -> Discard; {SOURCES}")
    router.settle()
    assert read(router, "c.count") == "300"

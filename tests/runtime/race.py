"""What the thread sanitizer has to find: test_memory.py runs this and expects it to fail."""

from tests.waiting import eventually


def test_two_threads_at_once(run):
    router = run("a :: Numbered(20000) -> c :: Careless -> Discard; b :: Numbered(20000) -> c; StaticThreadSched(b 1);", threads=2)
    router.start()
    eventually(lambda: int(router.handlers.read("c", "count")) >= 39000, patience=10)  # the race may lose so many counts that it never is
    router.stop()

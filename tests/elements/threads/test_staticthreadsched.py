"""StaticThreadSched: threads by name, compounds among the names, the last word counts."""

from __future__ import annotations

LINES = "rs1 :: RatedSource -> Queue -> d1 :: Discard; rs2 :: RatedSource -> Queue -> d2 :: Discard;"
SUB = "{ src :: RatedSource -> q :: Queue -> d :: Discard; StaticThreadSched(d 0); }"


def homes(router, *names: str) -> list[str]:
    return [router.handlers.read(name, "home_thread") for name in names]


def test_elements_get_their_threads_and_others_the_first(threaded):
    router = threaded(f"StaticThreadSched(rs2 1, d2 1); {LINES}")
    assert homes(router, "rs1", "d1", "rs2", "d2") == ["0", "0", "1", "1"]


def test_compounds(threaded):
    """As in Click's own test: what is said inside comes later."""
    router = threaded(f"StaticThreadSched(sub0 1); sub0, sub1 :: {SUB}")
    assert homes(router, "sub0/src", "sub0/d", "sub1/src", "sub1/d") == ["1", "0", "0", "0"]


def test_the_last_word_counts(threaded):
    router = threaded(f"StaticThreadSched(rs1 1, rs2 1, rs1 2); StaticThreadSched(rs2 0); {LINES}", threads=3)
    assert homes(router, "rs1", "rs2") == ["2", "0"]


def test_numbers_out_of_range_are_told(threaded, capsys):
    router = threaded(f"StaticThreadSched(rs1 2, rs2 -5, d1 -1); {LINES}")
    assert homes(router, "rs1", "rs2", "d1") == ["0", "-1", "-1"]
    told = capsys.readouterr().err
    assert "thread preference 2 out of range" in told
    assert "thread preference -5 out of range" in told
    assert "-1 out of range" not in told


def test_mistakes(refused_router):
    assert refused_router("StaticThreadSched(nobody 1, d x, d, d 1 2); Idle -> d :: Discard;").splitlines() == [
        "StaticThreadSched: 'nobody' does not name an element",
        "StaticThreadSched: THREAD: 'x' is not an integer from -2147483648 to 2147483647",
        "StaticThreadSched: expected 'ELEMENT THREAD'",
        "StaticThreadSched: expected 'ELEMENT THREAD'",
    ]

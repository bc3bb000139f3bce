"""BalancedThreadSched: loads that differ by more than an eighth are evened out, as far as tasks can be divided."""

import pytest
from elements.threads.balancedthreadsched import moves
from tests.waiting import eventually


def loads(used: dict[str, int], homes: dict[str, int], threads: int, **order) -> list[int]:
    homes = homes | dict(moves(used, homes, threads, **order))
    return [sum(cost for name, cost in used.items() if homes[name] == thread) for thread in range(threads)]


@pytest.mark.parametrize("increasing", [True, False])
def test_equal_tasks_are_spread_evenly(increasing):
    used = dict.fromkeys("abcdefgh", 100)
    assert loads(used, dict.fromkeys(used, 0), 4, increasing=increasing) == [200, 200, 200, 200]


def test_the_largest_stays_and_the_small_ones_go():
    used = {"large": 600, "a": 100, "b": 100, "c": 100, "d": 100}
    assert loads(used, dict.fromkeys(used, 0), 2) == [600, 400]


def test_costly_ones_go_first_if_asked():
    used = {"a": 50, "b": 60, "c": 110}
    assert moves(used, dict.fromkeys(used, 0), 2, increasing=True)[0] == ("a", 1)
    assert moves(used, dict.fromkeys(used, 0), 2, increasing=False)[0] == ("c", 1)


def test_good_assignments_are_kept():
    used = {"a": 104, "b": 50, "c": 50}
    assert moves(used, {"a": 0, "b": 1, "c": 1}, 2) == []
    assert moves(dict.fromkeys(used, 0), {"a": 0, "b": 1, "c": 1}, 2) == []


def test_tasks_that_can_not_be_divided_stay():
    assert moves({"a": 1000}, {"a": 0}, 4) == []


def test_busy_tasks_spread_over_the_threads(threaded, read):
    lines = "".join(f"i{n} :: InfiniteSource -> Discard;" for n in range(4))
    router = threaded(f"{lines} BalancedThreadSched(20);")
    router.start()
    assert eventually(lambda: sorted(read(router, f"i{n}.home_thread") for n in range(4)) == ["0", "0", "1", "1"])
    router.stop()

"""Which runs of tests with many parameters, or executors, are made: by `make test`, and by `make test-all`."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.axes import mark_other_turns

HERE = f"{Path(__file__).parent}/"
#: Where `make test` tries a router on the first of a test's executors, and `make test-all` on another one where it is the turn of that:
#: that executors do the same is what tests of CASES and tests/testing compare, for every class. Whoever names tests, or executors, has
#: them all.
ONE_EXECUTOR = ("elements/", "configs/")
#: Of a test with more sets of parameters, `make test-all` tries so many besides those of `make test`, spread over all of them; where it is
#: one, another one than for the file's test before. Whoever names tests has them all.
MOST_SETS = {
    **{"elements/": 1, "configs/": 2, "emit/": 2, "runtime/": 3, "load/": 4, "cli/": 2, "docs/": 3, "states/": 5},
    **{"demo/": 1, "tryout/": 3, "editor/": 4},
    **{"testing/test_library.py": 3, "testing/test_punts.py": 9, "testing/test_configs.py": 7},
    **{"testing/test_frags.py": 4, "testing/": 2, "ship/": 3},
    **{"prove/test_answers.py": 1, "prove/test_mistakes.py": 1, "prove/test_filters.py": 1, "prove/": 6},
    **{"graph/test_check.py": 2, "graph/": 3},
}
#: Where `make test` tries a test that needs something, or an executor, with one of its parameters, since each is a router that has to be
#: compiled: a file's first test with its first one, the second test with its second one and so on.
ONE_ROUTER = ("elements/", "configs/", "emit/", "plan/", "runtime/")
#: Tests of one class that `make test-all` runs: that executors do the same `make test` asks of all classes in few routers
#: (testing/test_library.py), which cost a fourth of what one for each class did.
COMPARISONS = ("elements/", "executors_agree")
#: Tests that have all of their executors always: a table in few routers.
TABLES = "test_trials["


def choose(items: list[pytest.Item]) -> set[pytest.Item]:
    """Mark what `make test` leaves out of matrices: runs on other executors than a test's first, other parameters than the one that it is
    the turn of, and places of an axis that aren't the test's turn. The result is what `make test-all` leaves out of that."""
    mark_other_turns(items)
    tests: dict[Path, dict[str, list[pytest.Item]]] = {}
    for item in items:
        if str(item.path).startswith(HERE) and file_of(item).startswith(ONE_ROUTER) and _compiles(item) and TABLES not in item.name:
            tests.setdefault(item.path, {}).setdefault(item.nodeid.partition("[")[0], []).append(item)
    further: set[pytest.Item] = set()
    for file in tests.values():
        for turn, runs in enumerate(file.values()):
            _mark_but_one(turn, runs)
            further.update(_further_executors(turn, runs))
    surplus = further.union(_surplus([item for item in items if item not in further]))
    folder, name = COMPARISONS
    for item in items:
        if file_of(item).startswith(folder) and name in item.name:
            item.add_marker("whole")
    return surplus


def file_of(item: pytest.Item) -> str:
    """Its file, within tests/."""
    return item.nodeid.partition("::")[0].removeprefix("tests/")


def _mark_but_one(turn: int, runs: list[pytest.Item]) -> None:
    left = [item for item in runs if not item.get_closest_marker("whole")]
    if left and file_of(left[0]).startswith(ONE_EXECUTOR):
        left = [item for item in left if _executor(item) == _executor(left[0])]
    for item in runs:
        if not left or item is not left[turn % len(left)]:
            item.add_marker("whole")


def _further_executors(number: int, runs: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Of the runs of a file's test those to leave out, so that each set of parameters has one executor: what `make test` runs has it
    already. Every eighth test without parameters has all."""
    sets: dict[str, list[pytest.Item]] = {}
    for item in runs:
        if file_of(item).startswith(ONE_EXECUTOR) and _executor(item):
            sets.setdefault(f"-{item.callspec.id}-".replace(f"-{_executor(item)}-", "-", 1), []).append(item)
    for turn, alike in enumerate(sets.values() if len(sets) > 1 or number % 8 else ()):
        chosen = next((item for item in alike if not item.get_closest_marker("whole")), alike[-1 - turn % len(alike)])
        yield from (item for item in alike if item is not chosen)


def _surplus(items: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Of tests with many parameters the runs beyond MOST_SETS."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("whole"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    turns: dict[str, int] = {}
    for runs in tests.values():
        most = next((number for start, number in MOST_SETS.items() if file_of(runs[0]).startswith(start)), len(runs))
        turn = turns[file_of(runs[0])] = turns.get(file_of(runs[0]), -1) + 1
        chosen = {place * len(runs) // most for place in range(most)} if most > 1 else {turn % len(runs)}
        yield from (item for place, item in enumerate(runs) if place not in chosen)


def _compiles(item: pytest.Item) -> bool:
    return bool(_executor(item)) or item.get_closest_marker("needs") is not None


def _executor(item: pytest.Item) -> str | None:
    return item.callspec.params.get("executor") if hasattr(item, "callspec") else None

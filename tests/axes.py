"""What `make test` runs of tests that are repeated; `make test-all` runs more (choice.py).

    @pytest.fixture(params=axis("xdp", "tc"))

An axis is of ways to run a router, the same for many tests: each test of a file runs at one place of the axis, the next test at the next
place, so that all places have their turn.

    @pytest.mark.parametrize("path", few(CONFIGS.glob("*.click")))

Of many parameters of one test a few are tried.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def axis(*values: Any, rows: bool = False) -> list[Any]:
    """Parameters, each marked with its place. With `rows` a value is a tuple, which has one for each name."""
    marks = [pytest.mark.place(number, len(values)) for number in range(len(values))]
    return [pytest.param(*(value if rows else (value,)), marks=mark) for value, mark in zip(values, marks)]


def few(values: Iterable[Any], number: int = 3, rows: bool = False) -> list[Any]:
    """Parameters, of which `make test` tries so many, the first and the last among them; `rows` as for an axis."""
    given = [value if rows else (value,) for value in values]
    chosen = {place * (len(given) - 1) // (number - 1) for place in range(number)}
    return [pytest.param(*value, marks=() if place in chosen else pytest.mark.whole) for place, value in enumerate(given)]


def mark_other_turns(items: Iterable[pytest.Item]) -> None:
    """Mark the runs of tests that are left to `make test-all`."""
    turns: dict[str, dict[str, int]] = {}
    for item in items:
        places = [mark.args for mark in item.iter_markers("place")]
        if places and not _is_its_turn(turns.setdefault(str(item.path), {}), item, places):
            item.add_marker("whole")


def _is_its_turn(turns: dict[str, int], item: pytest.Item, places: Sequence[tuple[int, int]]) -> bool:
    """`turns` are the tests of the file so far, with their numbers."""
    turn = turns.setdefault(item.nodeid.partition("[")[0], len(turns))
    return all(turn % count == number for number, count in places)

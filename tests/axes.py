"""Axes of matrices: ways to run a router that many tests are repeated on.

    @pytest.fixture(params=axis("xdp", "tc"))

`make test` runs each test of a file at one place of the axis, the next test at the next place, so that all places have their turn;
`make test-all` runs all tests at all places.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def axis(*values: Any, rows: bool = False) -> list[Any]:
    """Parameters, each marked with its place. With `rows` a value is a tuple, which has one for each name."""
    marks = [pytest.mark.place(number, len(values)) for number in range(len(values))]
    return [pytest.param(*(value if rows else (value,)), marks=mark) for value, mark in zip(values, marks)]


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

"""Medians, spread and ratios of what suites find."""

from tests.bench.bed import quantile
from tests.bench.effort import QUICK, WHOLE
from tests.bench.results import Result, Suite, measured


def found(*values: tuple, along: str = "") -> Result:
    return measured(Suite("s", "S", "ns", "one", lambda effort: values, along=along), WHOLE)


def test_medians_with_the_lowest_and_the_highest():
    result = found(("one", [3.0, 1.0, 2.0]), ("other", 5.0))
    assert (result.values, result.spread) == ({"one": 2.0, "other": 5.0}, {"one": (1.0, 3.0)})
    assert result.ratios == {"one": 1.0, "other": 2.5}


def test_points_of_curves_are_compared_with_the_reference_at_the_same_point():
    points = [("one", 1, 2.0), ("one", 2, 4.0), ("other", 1, 6.0), ("other", 2, [2.0, 2.0]), ("other", 3, 1.0)]
    result = found(*points, along="elements")
    assert result.curves["other"] == [(1, "other, 1"), (2, "other, 2"), (3, "other, 3")]
    assert result.ratios == {"one, 1": 1.0, "one, 2": 1.0, "other, 1": 3.0, "other, 2": 0.5}


def test_a_reference_of_nothing_makes_no_ratios():
    assert found(("one", 0.0), ("other", 1.0)).ratios == {}


def test_small_sizes_are_those_up_to_the_most():
    assert QUICK.up_to((1, 10, 100, 1000)) == [1, 10, 100]
    assert QUICK.up_to((5000, 900)) == [900], "one at least"


def test_quantiles_of_a_histogram():
    """Sixteen ranges for each power of two: those of 16 to 31 ns are one wide, from 32 on two, from 64 on four."""
    counts = [0] * 1024
    counts[4 * 16 + 3] = 90
    counts[5 * 16 + 1] = 9
    counts[6 * 16] = 1
    assert [quantile(counts, share) for share in (0.5, 0.9, 0.95, 0.99, 0.999)] == [20, 20, 36, 36, 68]

"""The model of many CPUs, where its results are known."""

import pytest
from tests.bench.scaling import CPUS, packets


@pytest.mark.parametrize("cpus", CPUS)
def test_without_anything_shared_each_cpu_adds_as_much(cpus):
    assert packets(cpus, 100) == pytest.approx(cpus * 1e7)


def test_what_is_shared_is_the_limit():
    assert [packets(cpus, 0, 100) for cpus in CPUS] == pytest.approx([1e7] * len(CPUS))
    assert packets(1, 100, 100) == pytest.approx(5e6)
    assert packets(64, 100, 100) == pytest.approx(1e7)


def test_two_machines_and_a_repairman():
    """Each of two is found in repair half of the time by the other: 100 + 150 ns a round."""
    assert packets(2, 100, 100) == pytest.approx(2e9 / 250)

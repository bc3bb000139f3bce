"""What happened between two snapshots, by arithmetic on snapshots made by hand."""

import pytest

from clickbpf.load.access.listing import Loaded
from clickbpf.load.files.process import Usage
from clickbpf.observe.rates import period
from clickbpf.observe.snapshot import KERNEL, RUNTIME, Number, Snapshot

LOADED = Loaded("r", "running", "native", 1, 10.0, {"eth0": "eth0"}, (), True)
CLASSES = {"in": "FromDevice", "c": "Classifier", "q": "Queue", "idle": "Idle"}


def snapshot(moment: float, kernel: int, runtime: int, held: int = 0, cpu: float | None = 0.0, **dropped: int) -> Snapshot:
    """`in` has counted on both executors, `q` holds packets, `c` drops them."""
    counts = (Number("in", "FromDevice", "count", kernel, KERNEL), Number("in", "FromDevice", "count", runtime, RUNTIME))
    levels = (Number("q", "Queue", "length", held), Number("q", "Queue", "highwater_length", 99))
    drops = {("c", reason): count for reason, count in dropped.items()}
    usage = None if cpu is None else Usage(cpu, 1 << 20, 7)
    return Snapshot(moment, LOADED, CLASSES, dict.fromkeys(CLASSES, "xdp"), counts, levels, drops, usage)


def test_rates_are_differences_by_the_time_between():
    done = period(snapshot(10, 100, 7, cpu=1.0, FILTERED=5), snapshot(12, 300, 8, 4, cpu=1.5, FILTERED=9, NO_MEMORY=2))
    rates = {e.element: e for e in done.elements}
    assert (rates["in"].total, rates["in"].kernel_rate, rates["in"].runtime_rate, rates["in"].rate) == (308, 100.0, 0.5, 100.5)
    assert (rates["q"].holds, rates["in"].holds, rates["q"].total) == (4, None, None)
    assert (rates["c"].dropped, rates["c"].drop_rate, rates["c"].reason) == (11, 3.0, "FILTERED")
    assert done.cpu == 0.25


def test_elements_that_say_nothing_are_left_out():
    assert [e.element for e in period(snapshot(1, 1, 1), snapshot(2, 1, 1)).elements] == ["in", "q"]


def test_counts_that_begin_again():
    """Another router has taken the place of the one before: what it has counted, it has counted since."""
    (first, *_) = period(snapshot(1, 1000, 50, FILTERED=70), snapshot(2, 10, 50, FILTERED=7)).elements
    assert (first.kernel_rate, first.runtime_rate) == (10.0, 0.0)


@pytest.mark.parametrize("before, now", [(None, 1.0), (1.0, None), (None, None), (9.0, 0.1)])
def test_a_process_that_began_or_ended_meanwhile(before, now):
    assert period(snapshot(1, 1, 1, cpu=before), snapshot(2, 1, 1, cpu=now)).cpu == 0.0

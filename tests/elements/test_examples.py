"""The examples in the manual pages of queues, schedulers and what keeps to a rate are routers."""

import inspect
import re
import textwrap

import pytest

from clickbpf.emit.native import emit_native
from clickbpf.graph.check import check
from clickbpf.graph.elaborate import load_text
from clickbpf.library import Library

LIBRARY = Library.standard()
CLASSES = (
    "RoundRobinSched", "PrioSched", "StrideSched", "DRRSched", "StaticPullSwitch", "PullSwitch", "TimeSortedSched",
    "Shaper", "BandwidthShaper", "Meter", "BandwidthMeter", "RatedSplitter", "BandwidthRatedSplitter", "RatedUnqueue",
    "BandwidthRatedUnqueue", "DelayShaper", "DelayUnqueue", "LinkUnqueue", "TimedUnqueue", "Burster", "MixedQueue",
    "FrontDropQueue", "CoDel", "RED",
)  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_example(name):
    example = textwrap.dedent(re.split(r"Example:.*\n\n", inspect.getdoc(LIBRARY.find(name)))[-1])
    assert re.search(rf"\b{name}\b", example)
    assert emit_native(check(load_text(example), LIBRARY)).text

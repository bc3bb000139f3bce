"""What the bench counts is what was sent, once."""

import json
import time
from contextlib import ExitStack

import pytest
from tests.bench import forwarding
from tests.bench.bed import Bed
from tests.waiting import eventually

pytestmark = pytest.mark.needs("root", "clang-19", "ethtool")

RATE = 20_000


def counted_by_linux(bed: Bed) -> int:
    (link,) = json.loads(bed.sink.ip("-json", "-statistics", "link", "show", "dev", "in1"))
    return link["stats64"]["rx"]["packets"]


def test_each_frame_is_sent_and_counted_once():
    """By the generator, by the sink, and by the kernel."""
    with ExitStack() as undo:
        bed = Bed(undo, "time_sink")
        with forwarding.redirecting("forward_mapped")(bed.router):
            before = counted_by_linux(bed)
            with bed.sending("pace_apart", RATE):
                assert eventually(lambda: bed.received > RATE // 10)
            assert eventually(lambda: bed.received == bed.sent)
            time.sleep(0.1)
            assert bed.received == bed.sent == counted_by_linux(bed) - before


def test_times_are_those_of_the_frames():
    """A time is never 0, and half of them are no longer than nine in ten."""
    with ExitStack() as undo:
        bed = Bed(undo, "time_sink")
        with forwarding.redirecting("forward_mapped")(bed.router):
            quantile = bed.times(0.2, RATE)
    assert 100 < quantile(0.5) <= quantile(0.9) <= quantile(0.999) < 10e9

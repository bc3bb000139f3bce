"""Two CPUs take from one bucket and count in one meter at the same moment: nothing is taken twice, nothing counted is lost."""

import threading
from contextlib import closing

import pytest

from clickbpf.testing.executors import start

pytestmark = pytest.mark.needs("root", "clang-19")

EACH = 1_000_000
NS = 10**9


def push_on_two_cpus(running) -> None:
    """So many packets on each of two CPUs, while the router's time stands still."""
    threads = [threading.Thread(target=running.test_run, args=("a", bytes(60), 60, EACH)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


#: Units of a full bucket, in which a token is a whole number of them; bytes that have to be there for a packet to pass.
FULL, THRESHOLD = 2**32 - 1, 131072


def packets_in(tokens: int, price: int, threshold: int = 0) -> int:
    """How many packets of this many tokens pass, each only if the bucket has more than the threshold."""
    scale = FULL // (tokens + threshold)
    left = FULL - max(threshold, price) * scale
    return left // (price * scale) + 1


@pytest.mark.parametrize(
    "splitter, passing",
    [
        ("RatedSplitter(300, BURST_SIZE 1000000)", packets_in(EACH, 1)),
        ("BandwidthRatedSplitter(300, BURST_BYTES 60000000)", packets_in(60 * EACH, 60, THRESHOLD)),
    ],
)
def test_no_token_is_taken_twice(splitter, passing):
    with closing(start(f"FromDevice(a) -> s :: {splitter} -> c :: Counter -> Discard; s[1] -> Discard;", "bpf", simtime=NS)) as running:
        push_on_two_cpus(running)
        assert int(running.read("c.count")) == passing


def test_every_event_is_counted_once():
    """All events are of one epoch; they weigh 1/16 in the average of the next."""
    outputs = "m[0] -> Discard; m[1] -> Discard;"
    with closing(start(f"FromDevice(a) -> m :: Meter(1000); {outputs}", "bpf", simtime=NS)) as running:
        running.send("a", bytes(60))
        push_on_two_cpus(running)
        meter = running.runtime.instances["m"].state.meter
        assert meter.counted & ((1 << 28) - 1) == 2 * EACH + 1
        running.advance(0.001)
        assert float(running.read("m.rate")) == pytest.approx((2 * EACH + 1) * 1000 / 16, rel=0.001)

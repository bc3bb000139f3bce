"""RatedSplitter and BandwidthRatedSplitter: so much here, the rest there."""

import pytest
from tests.elements.trials import Trial


def offer(router, splitter: str, rate: int, seconds: int, length: int) -> tuple[int, int]:
    """Packets that leave by the outputs when packets come at an even rate."""
    r = router(f"FromDevice(a) -> s :: {splitter} -> c0 :: Counter -> Discard; s[1] -> c1 :: Counter -> Discard;", simtime=True)
    for _ in range(rate * seconds):
        r.send("a", bytes(length))
        r.advance(1 / rate)
    return int(r.read("c0.count")), int(r.read("c1.count"))


@pytest.mark.parametrize("splitter, length", [("RatedSplitter(300", 60), ("BandwidthRatedSplitter(30kBps", 100)])
@pytest.mark.parametrize("burst, extra", [("", 6), (", BURST_DURATION 1", 300)])
def test_the_rate_is_held_after_a_burst(router, splitter, length, burst, extra):
    here, there = offer(router, f"{splitter}{burst})", 1000, 4, length)
    assert here == pytest.approx(1200 + extra, rel=0.01) and here + there == 4000


@pytest.mark.parametrize("splitter", ["RatedSplitter(300, BURST_SIZE 50)", "BandwidthRatedSplitter(30000, BURST_BYTES 5000)"])
def test_a_burst_can_be_given(router, splitter):
    r = router(f"FromDevice(a) -> s :: {splitter} -> c :: Counter -> Discard;", simtime=True)
    r.send("a", [bytes(100)] * 80)
    # With BURST_BYTES the packet that finds the last bytes of the burst passes whole.
    assert int(r.read("c.count")) in (50, 51) and r.dropped("s") == 80 - int(r.read("c.count"))


TRIALS = {
    "the rate is shown as click rounds it": [
        Trial(splitter, noutputs=2).reads(rate=shown, config=shown)
        for splitter, shown in [
            ("RatedSplitter(4000)", "4002"),
            ("RatedSplitter(1000000, BURST_SIZE 7)", "1000500"),
            ("RatedSplitter(3)", "3"),
            ("BandwidthRatedSplitter(1MBps)", "8.004Mbps"),
            ("BandwidthRatedSplitter(384kbps)", "384.192kbps"),
        ]
    ],
    "the rate can be written": Trial("RatedSplitter(4000)", noutputs=2).write("rate", "3").reads(rate="3").refuses("rate", "fast", "rate"),
    "a rate of 0 lets nothing pass": Trial("RatedSplitter(0)", noutputs=2).gives(bytes(60), output=1),
}

MISTAKES = {
    ("RatedSplitter(1000, BURST_SIZE 3, BURST_DURATION 1)", 2): ["RatedSplitter: cannot specify both BURST_DURATION and BURST_SIZE"],
}

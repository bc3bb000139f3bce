"""AdaptiveRED: MAX_P follows the queue (Floyd, Gummadi and Shenker 2001)."""

import pytest

pytestmark = pytest.mark.executors("native")


@pytest.fixture
def red(router):
    """An AdaptiveRED that aims at 20 packets, with a Queue that holds this many; with STABILITY 0 the average is the current
    number."""

    def make(length: int, probability: float):
        r = router(
            "FromDevice(fill) -> q :: Queue -> Unqueue(ACTIVE false) -> Discard;"
            f"FromDevice(in) -> red :: AdaptiveRED(20, {probability}, QUEUES q, STABILITY 0) -> Discard;",
            simtime=True,
        )
        r.send("fill", [bytes(60)] * length)
        return r

    return make


@pytest.mark.parametrize(
    "length, before, seconds, after",
    [
        (200, 0.02, 0.49, 0.02),
        (200, 0.02, 0.5, 0.025),  # by a quarter
        (200, 0.2, 0.5, 0.21),  # by 0.01
        (200, 0.2, 1.0, 0.22),
        (200, 0.499, 5.0, 0.509),  # once more, and not beyond
        (0, 0.2, 0.5, 0.18),
        (0, 0.2, 1.0, 0.162),
        (0, 0.2, 60.0, 0.0094),  # from just above 0.01
        (20, 0.2, 60.0, 0.2),  # as it should be
    ],
)
def test_the_probability_adapts(red, length, before, seconds, after):
    r = red(length, before)
    r.advance(seconds)
    assert float(r.read("red.max_p")) == pytest.approx(after, abs=0.0005)


@pytest.mark.parametrize("target, low, high", [(20, 10, 30), (25, 12, 37), (1, 5, 15)])
def test_thresholds_lie_around_the_target(router, target, low, high):
    r = router(f"FromDevice(in) -> red :: AdaptiveRED({target}, 0.1) -> q :: Queue -> Discard;")
    assert (r.read("red.min_thresh"), r.read("red.max_thresh"), r.read("red.queues")) == (str(low), str(high), "q\n")


MISTAKES = {"AdaptiveRED(20, 1.5)": "MAX_P must be between 0 and 1"}

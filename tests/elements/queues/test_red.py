"""RED: the drop rate follows its curve, the average its weight, and the right Queues are watched."""

import pytest

native = pytest.mark.executors("native")
PACKETS = 100_000


def beside(router, red: str, length: int):
    """A RED that watches a Queue of that many packets while others pass it."""
    r = router(
        f"""
        FromDevice(fill) -> q :: Queue -> Unqueue(ACTIVE false) -> Discard;
        s :: InfiniteSource(LIMIT {PACKETS}, BURST 100, ACTIVE false) -> red :: {red} -> Discard;
        """
    )
    r.executor.runtime.seed(1)
    r.send("fill", [bytes(60)] * length)
    return r


def drop_rate(probability: float) -> float:
    """Of packets, if from one drop to the next it takes U / probability packets, rounded up, U uniform in (0, 1]."""
    packets, i = 1.0, 1
    while i * probability < 1:
        packets += 1 - i * probability
        i += 1
    return 1 / packets


@native
@pytest.mark.parametrize(
    "length, probability", [(10, 0), (20, 0.025), (30, 0.05), (50, 0.1), (75, 0.55), (100, 1), (101, 1)]
)
def test_the_drop_rate_follows_the_curve(router, length, probability):
    """From 0 at 10 packets to 0.1 at 50, and (gentle) to 1 at 100."""
    r = beside(router, "RED(10, 50, 0.1, QUEUES q, STABILITY 0)", length)
    r.write("s.active", "true")
    expected = drop_rate(probability) * PACKETS if probability else 0
    assert int(r.read("red.drops")) == pytest.approx(expected, rel=0.03)


@native
@pytest.mark.parametrize("length, dropped", [(50, False), (51, True)])
def test_what_is_not_gentle_ends_at_the_threshold(router, length, dropped):
    r = beside(router, "RED(10, 50, 0.1, GENTLE false, QUEUES q, STABILITY 0)", length)
    r.write("s.active", "true")
    assert (int(r.read("red.drops")) == PACKETS) == dropped


@native
def test_the_average_moves_with_its_stability(router):
    r = router(
        """
        FromDevice(fill) -> q :: Queue -> Unqueue(ACTIVE false) -> Discard;
        FromDevice(in) -> red :: RED(500, 600, 0.1, QUEUES q, STABILITY 6) -> Discard;
        """
    )
    r.send("fill", [bytes(60)] * 200)
    for packets in (10, 50, 100):
        r.send("in", [bytes(60)] * packets)
    assert float(r.read("red.avg_queue_size")) == pytest.approx(200 * (1 - (63 / 64) ** 160), rel=0.01)
    r.write("q.reset")
    r.send("in", bytes(60))
    assert float(r.read("red.avg_queue_size")) == pytest.approx(200 * (1 - (63 / 64) ** 160) * 63 / 64, rel=0.01)


@pytest.mark.parametrize(
    "around, queues",
    [
        ("FromDevice(a) -> red -> q :: Queue -> ToDevice(b);", ["q"]),
        ("FromDevice(a) -> red -> s :: Switch(0) -> q :: Queue -> ToDevice(b); s[1] -> r :: Queue -> ToDevice(c);", ["q", "r"]),
        ("FromDevice(a) -> q :: Queue -> red -> Unqueue -> r :: Queue -> ToDevice(b);", ["q"]),
        ("FromDevice(a) -> red -> q :: FrontDropQueue -> ToDevice(b); red[1] -> r :: Queue -> ToDevice(c);", ["q"]),
    ],
)
def test_it_finds_its_queues(router, around, queues):
    r = router(f"red :: RED(5, 50, 0.02); {around}")
    assert r.read("red.queues").split() == queues
    assert r.read("red.config") == f"5, 50, 0.02, QUEUES {' '.join(queues)}, STABILITY 4"


def test_what_it_drops_leaves_by_output_1_in_either_context(router):
    for chain in (
        "FromDevice(a) -> red -> q :: Queue -> Unqueue(ACTIVE false) -> Discard;",
        "FromDevice(a) -> q :: Queue -> red -> u :: Unqueue -> Discard;",
    ):
        r = router(f"red :: RED(0, 0, 1, STABILITY 0); {chain} red[1] -> Queue -> ToDevice(b);")
        if "u ::" in chain:
            r.write("u.active", "false")
        r.send("a", [bytes([i] * 60) for i in range(4)])
        if "u ::" in chain:
            r.write("u.active", "true")
        # Pushed, all but the first find a packet in the queue; pulled, all but the last leave one there.
        for i in (1, 2, 3) if "u ::" not in chain else (0, 1, 2):
            r.expect("b", bytes([i] * 60))
        r.expect_nothing()
        assert r.read("red.stats").startswith("1 current queue" if "u ::" not in chain else "0 current queue")
        assert r.read("red.stats").endswith("\n3 drops\n")


def test_thresholds_can_be_written(router):
    r = router("FromDevice(a) -> red :: RED(5, 50, 0.02, GENTLE false) -> q :: Queue -> ToDevice(b);")
    assert (r.read("red.min_thresh"), r.read("red.max_thresh"), r.read("red.max_p")) == ("5", "50", "0.02")
    assert (r.read("red.drops"), r.read("red.avg_queue_size")) == ("0", "0")
    r.write("red.max_thresh", 70)
    r.write("red.min_thresh", 60)
    r.write("red.max_p", 0.5)
    assert r.read("red.config") == "60, 70, 0.5, QUEUES q, STABILITY 4, GENTLE false"
    with pytest.raises(Exception, match="MIN_THRESH must be <= MAX_THRESH"):
        r.write("red.min_thresh", 71)
    assert r.read("red.min_thresh") == "60"


@native
def test_there_has_to_be_a_queue(router):
    with pytest.raises(Exception, match="no nearby Queues"):
        router("FromDevice(a) -> RED(1, 2, 0.1) -> Discard;")


def test_packets_pass_where_none_waits(router):
    """Before and after a Queue whose place a transmit ring takes."""
    r = router("FromDevice(in) -> red :: RED(0, 1, 1) -> q :: Queue -> CoDel -> late :: RED(0, 1, 1) -> ToDevice(out); red[1] -> Discard;")
    packets = [bytes([number]) * 60 for number in range(20)]
    assert [(output.device, output.data) for output in r.send("in", packets)] == [("out", packet) for packet in packets]


MISTAKES = {
    "Idle -> RED(50, 5, 0.02) -> Queue -> d :: Discard;": ["RED: MIN_THRESH must be <= MAX_THRESH"],
    "Idle -> RED(5, 70000, 0.1) -> Queue -> d :: Discard;": ["RED: MAX_THRESH must be <= 65535"],
    "Idle -> RED(5, 50, 1.5) -> Queue -> d :: Discard;": ["RED: MAX_P must be between 0 and 1"],
    "Idle -> RED(5, 50, 1, STABILITY 20) -> Queue -> d :: Discard;": ["RED: STABILITY must be between 0 and 16"],
    "Idle -> RED(5, 50, 1, QUEUES d) -> Queue -> d :: Discard;": ["RED: 'd' is not a Storage element"],
}

"""RED in configs/papers: in the IP router, and its variants (Click paper, Figure 11)."""

import pytest
from tests.configs.traffic import PAPERS, Stream, datagram, has_tos, macs, offer

pytestmark = pytest.mark.executors("native")

LENGTH = 100


def dropped(probability: float) -> float:
    """The share of packets that RED drops where its curve has `probability`.

    Drops are spread: from one to the next it takes U / probability packets, rounded up, U uniform in (0, 1].
    """
    expected, i = 1.0, 1
    while i * probability < 1:
        expected += 1 - i * probability
        i += 1
    return 1 / expected


def curve(share: float, low: float, high: float, most: float) -> float:
    """The average length at which RED drops that share of packets: `most` at `high`, all at twice `high` (gentle)."""
    bottom, top = 0.0, 1.0
    while top - bottom > 1e-4:
        middle = (bottom + top) / 2
        bottom, top = (middle, top) if dropped(middle) < share else (bottom, middle)
    if bottom <= most:
        return low + (high - low) * bottom / most
    return high + high * (bottom - most) / (1 - most)


@pytest.mark.parametrize("overload", [1.02, 1.25, 2])
def test_the_queue_settles_where_the_curve_drops_the_overload(router, overload):
    """Arrivals that don't slow down: 1 - 1/overload of them have to go, and RED does it long before the queue is full."""
    r = router(PAPERS / "iprouter-red.click", simtime=True, variables={"LINK1": "100kBps"}, devices=macs(2))
    r.write("p1/arpq.insert", "10.0.1.2 02:00:00:00:00:22")
    average = []
    for _ in range(20):
        offer(r, [Stream("eth0", datagram(length=LENGTH), 1000 * overload)], seconds=0.5, settle=0)
        average.append(float(r.read("red1.avg_queue_size")))
    expected = curve(1 - 1 / overload, 10, 50, 0.02)
    assert sum(average[8:]) / len(average[8:]) == pytest.approx(expected, rel=0.1)
    assert r.read("q1.drops") == "0"


def test_weighted_red_drops_what_is_expendable(router):
    """2500 packets per second fit, 3000 are there: the 1000 of AF13 bear the loss."""
    r = router(PAPERS / "red-weighted.click", simtime=True)
    tos = {"AF11": 0x28, "AF12": 0x30, "AF13": 0x38}
    out = offer(r, [Stream("eth0", datagram(t, LENGTH), 1000) for t in tos.values()], seconds=3)
    rates = {name: out.rate("eth1", has_tos(t)) for name, t in tos.items()}
    assert sum(rates.values()) == pytest.approx(2500, rel=0.01)
    assert rates["AF11"] == pytest.approx(1000, rel=0.01)
    assert rates["AF12"] > 0.97 * 1000
    assert rates["AF13"] < 0.55 * 1000
    assert (r.read("low.drops"), r.read("q.drops")) == ("0", "0")


def test_one_red_watches_the_sum_of_its_queues(router):
    r = router(PAPERS / "red-shared.click", simtime=True)
    assert r.read("red.queues").split() == ["first", "later"]
    voice, bulk = Stream("eth0", datagram(0xB8, LENGTH), 2000), Stream("eth0", datagram(0, LENGTH), 2000)
    out = offer(r, [voice, bulk], seconds=2)
    lengths = [int(r.read(f"{queue}.length")) for queue in ("first", "later")]
    assert r.read("red.stats").startswith(f"{sum(lengths)} current queue\n")
    assert out.rate("eth1") == pytest.approx(2500, rel=0.01)
    # RED drops from both alike, before the scheduler gives voice all that it still asks for.
    kept = 2500 / 4000
    assert out.rate("eth1", has_tos(0xB8)) == pytest.approx(2000 * kept, rel=0.05)
    assert (r.read("first.drops"), r.read("later.drops")) == ("0", "0")


def test_dropped_from_the_front_are_the_oldest(router):
    """A burst: all of it gets into the queue, and later packets come out at the expense of earlier ones."""
    r = router(PAPERS / "red-front.click", simtime=True, variables={"LINK": "10kBps"})
    burst = [datagram(sport=number, dport=9, length=LENGTH) for number in range(150)]
    first = r.send("eth0", burst)
    assert int(r.read("q.length")) + len(first) + int(r.read("red.drops")) == 150
    assert r.read("q.drops") == "0"
    last = [int.from_bytes(output.data[34:36], "big") for output in r.advance(20)]
    assert last == sorted(last)
    assert int(r.read("red.drops")) == 150 - len(first) - len(last) > 10
    missing = sorted(set(range(150)) - set(last))
    assert sum(missing) / len(missing) < sum(last) / len(last), "the queue was longest when the first of it left"

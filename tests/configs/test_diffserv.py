"""configs/papers/diffserv.click: a traffic conditioner with four classes (Click paper, Figure 15)."""

import pytest
from tests.configs.traffic import PAPERS, Stream, datagram, has_tos, offer

pytestmark = pytest.mark.executors("native")

DSCP = {"A": 10, "B": 12, "C": 14, "D": 0}
RATE = {"A": 7500, "B": 10000, "C": 12500}
LINK = 60000


def conditioned(router, seconds=10, settle=10, **offered: float):
    """Bytes per second of each class that leave when this many are offered."""
    r = router(PAPERS / "diffserv.click", simtime=True)
    streams = [Stream.of_bytes("eth0", datagram(DSCP[name] << 2), rate) for name, rate in offered.items()]
    out = offer(r, streams, seconds, settle)
    return r, {name: out.bytes_rate("eth1", has_tos(DSCP[name] << 2)) for name in DSCP}


def test_within_their_rates_all_classes_pass(router):
    r, rates = conditioned(router, A=7000, B=9000, C=12000, D=20000)
    assert rates == pytest.approx({"A": 7000, "B": 9000, "C": 12000, "D": 20000}, rel=0.02)
    assert r.read("policed.count") == r.read("demoted.count") == r.read("qb.drops") == "0"


@pytest.mark.parametrize("name", RATE)
def test_a_class_gets_its_rate_and_no_more(router, name):
    """A and B lose the rest; C's is best effort from then on, of which the link has plenty here."""
    _, rates = conditioned(router, **{name: 25000})
    assert rates[name] == pytest.approx(RATE[name], rel=0.02)
    assert rates["D"] == pytest.approx(25000 - RATE["C"] if name == "C" else 0, rel=0.02)


def test_what_is_too_much_is_dropped_or_waits(router):
    r, _ = conditioned(router, A=15000, B=10500)
    assert int(r.read("policed.count")) == pytest.approx(20 * 7500 / 100, rel=0.05)
    assert int(r.read("qb.length")) in (49, 50), "B grows by 5 packets a second, up to the queue's length; one may just have left"


def test_best_effort_has_what_the_others_leave(router):
    _, rates = conditioned(router, A=20000, B=20000, C=12500, D=200000)
    assert {name: rates[name] for name in RATE} == pytest.approx(RATE, rel=0.02)
    assert rates["D"] == pytest.approx(LINK - sum(RATE.values()), rel=0.02)

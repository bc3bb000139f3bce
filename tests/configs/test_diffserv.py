"""configs/papers/diffserv.click: a traffic conditioner with four classes (Click paper, Figure 15)."""

import pytest
from tests.configs.traffic import PAPERS, Stream, datagram, has_tos, offer

pytestmark = pytest.mark.executors("native")

DSCP = {"A": 10, "B": 12, "C": 14, "D": 0}


def conditioned(router, **offered: float):
    """Packets per second of each class that leave when this many are offered."""
    r = router(PAPERS / "diffserv.click", simtime=True)
    streams = [Stream("eth0", datagram(DSCP[name] << 2), rate) for name, rate in offered.items()]
    out = offer(r, streams, 0.3, settle=0.2)
    return r, {name: out.rate("eth1", has_tos(DSCP[name] << 2)) for name in DSCP}


def test_within_their_rates_all_classes_pass(router):
    r, rates = conditioned(router, A=7000, B=9000, C=12000, D=2000)
    assert rates == pytest.approx({"A": 7000, "B": 9000, "C": 12000, "D": 2000}, rel=0.02)
    assert r.read("qb.drops") == "0" and int(r.read("policed.count")) == int(r.read("demoted.count")) == 0


def test_a_class_that_is_too_fast(router):
    """A loses everything, B what is above its rate, and C jumps into D."""
    r, rates = conditioned(router, A=8000, B=11000, C=13000)
    assert rates == pytest.approx({"A": 0, "B": 10000, "C": 0, "D": 13000}, rel=0.02)
    assert 35 < int(r.read("qb.length")) <= 50, "ten leave in a step of the clock, and eleven come"


def test_best_effort_has_what_the_others_leave(router):
    _, rates = conditioned(router, A=7000, B=20000, C=12000, D=60000)
    assert rates == pytest.approx({"A": 7000, "B": 10000, "C": 12000, "D": 60000 - 29000}, rel=0.02)

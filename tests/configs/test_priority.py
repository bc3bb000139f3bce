"""configs/papers/priority.click: strict priorities, the highest limited (Click paper, Figures 19 and 20)."""

import pytest
from tests.configs.traffic import PAPERS, Stream, datagram, has_tos, offer

pytestmark = pytest.mark.executors("native")

LINK, LIMIT = 5000, 1000
TOS = {"high": 0xB8, "medium": 0x28, "low": 0}


def rates(router, offered: float) -> tuple[float, ...]:
    """Packets per second of each priority that leave when `offered` of each arrive."""
    r = router(PAPERS / "priority.click", simtime=True)
    streams = [Stream("eth0", datagram(tos), offered) for tos in TOS.values()]
    out = offer(r, streams, seconds=1, settle=0.5)
    return tuple(out.rate("eth1", has_tos(tos)) for tos in TOS.values())


@pytest.mark.parametrize("offered", [500, 1500, 1900, 2500, 3500, 5000])
def test_each_priority_gets_what_those_above_leave(router, offered):
    high = min(offered, LIMIT)
    medium = min(offered, LINK - high)
    low = min(offered, LINK - high - medium)
    assert rates(router, offered) == pytest.approx((high, medium, low), rel=0.01, abs=10)

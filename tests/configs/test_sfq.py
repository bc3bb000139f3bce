"""configs/papers/iprouter-sfq.click: stochastic fairness queueing in the IP router (Click paper, Figure 10)."""

import pytest
from tests.configs.traffic import PAPERS, Stream, datagram, has_source, macs, offer

pytestmark = pytest.mark.executors("native")

#: A link of 1000 packets of 100 bytes a second.
LINK, LENGTH = 100_000, 100
CONFIGURATION = PAPERS / "iprouter-sfq.click"


def sent(router, rates: dict[str, float], lengths: dict[str, int] | None = None, configuration=CONFIGURATION) -> dict[str, float]:
    """Bytes per second of each sender on the slow link, when each offers this many packets per second."""
    r = router(configuration, simtime=True, variables={"LINK1": f"{LINK}Bps"}, devices=macs(2))
    r.write("p1/arpq.insert", "10.0.1.2 02:00:00:00:00:22")
    streams = [Stream("eth0", datagram(src=host, length=(lengths or {}).get(host, LENGTH)), rate) for host, rate in rates.items()]
    out = offer(r, streams, seconds=2)
    return {host: out.bytes_rate("eth1", has_source(host)) for host in rates}


POLITE, FLOOD = "10.0.0.2", "10.0.0.3"


def test_a_flood_takes_what_the_others_leave(router):
    rates = sent(router, {POLITE: 200, FLOOD: 4000})
    assert rates == pytest.approx({POLITE: 200 * LENGTH, FLOOD: LINK - 200 * LENGTH}, rel=0.02)


def test_in_one_queue_it_drowns_them(router, monkeypatch):
    """The same router with one Queue as long as the eight."""
    monkeypatch.setenv("CLICKPATH", str(PAPERS))
    one_queue = CONFIGURATION.read_text().replace("SFQ(26, 8, 50)", "Queue(400)")
    rates = sent(router, {POLITE: 200, FLOOD: 4000}, configuration=one_queue)
    assert rates[POLITE] < 200 * LENGTH / 2
    assert sum(rates.values()) == pytest.approx(LINK, rel=0.01)


def test_greedy_senders_get_equal_shares_of_the_bytes(router):
    """However many packets they send, and however long those are."""
    hosts = ["10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5"]
    rates = sent(router, dict(zip(hosts, (1000, 2000, 3000, 500))), {hosts[3]: 1000, hosts[1]: 60})
    assert rates == pytest.approx(dict.fromkeys(hosts, LINK / 4), rel=0.03)

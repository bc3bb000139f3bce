"""configs/papers/two-t1.click at both ends of two lines, with real hosts (Click paper, Figure 12).

left                  gateway                       gateway                  right
10.0.0.2 ---- eth0 10.0.0.1  eth1, eth2 ====== eth1, eth2  10.0.1.1 eth0 ---- 10.0.1.2
"""

import os
import time

import pytest
from tests.configs.traffic import PAPERS
from tests.waiting import eventually

from clickbpf.testing.traffic import ping, tcp_transfer

pytestmark = pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19")

RATE = 1_536_000 / 8


@pytest.fixture
def site(network, load):
    """site(0) and site(1): (a host, its gateway), joined by two lines."""
    places = [network.namespace(f"gateway{side}") for side in (0, 1)]
    macs = {(side, line): f"02:00:00:00:0{line + 1}:{(side + 1) * 10}" for side in (0, 1) for line in (0, 1)}
    for line in (0, 1):
        device = f"eth{line + 1}"
        network.veth(places[0], device, places[1], device, macs=(macs[0, line], macs[1, line]))
    made = []
    for side, place in enumerate(places):
        host = network.host(f"host{side}", place, "eth0", f"10.0.{side}.2/24", f"10.0.{side}.1")
        lan = f"02:00:00:00:00:{(side + 1) * 10}"
        place.ip("link", "set", "eth0", "address", lan)
        addresses = {f"{role}{line}_MAC": macs[end, line] for line in (0, 1) for role, end in (("LINE", side), ("PEER", 1 - side))}
        made.append((host, load(place, PAPERS / "two-t1.click", LAN_ADDR=f"10.0.{side}.1/24", LAN_MAC=lan, **addresses)))
    return made


def rate_of(left, right, payload: bytes) -> float:
    """Bytes a second of a transfer."""
    begin = time.monotonic()
    assert tcp_transfer(left, right, "10.0.1.2", 5000, payload) == payload
    return len(payload) / (time.monotonic() - begin)


@pytest.mark.whole
def test_a_transfer_uses_both_lines_and_pings_pass_it(site):
    (left, gateway), (right, _) = site
    assert ping(left, "10.0.1.2", 3) == 3
    payload = os.urandom(600_000)
    assert eventually(lambda: rate_of(left, right, payload) > 1.3 * RATE), "one line alone is never that fast"
    sent = [int(gateway.read(f"sent{line}.byte_count")) for line in (0, 1)]
    assert min(sent) > 0.4 * sum(sent)

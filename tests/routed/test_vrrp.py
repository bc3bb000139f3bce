"""The address that keepalived moves between two accelerated routers, under numbered frames."""

import os

import pytest
from tests.accelerated import Accelerated
from tests.routed.pair import GATEWAY, NAMES, Pair
from tests.waiting import eventually

from clickbpf.testing.traffic import ping

pytestmark = [pytest.mark.whole, pytest.mark.needs("root", "ip", "ethtool", "ping", "clang-19", "keepalived")]


def test_the_gateways_address_moves(undo):
    pair = Pair(undo)
    assert eventually(lambda: pair.owner() == "first")
    first, second = (Accelerated(pair.at[name], f"{name}{os.getpid()}") for name in NAMES)
    undo.callback(second.unload)
    undo.callback(first.unload)
    traffic = pair.traffic(undo)
    assert eventually(lambda: first.forwarded() > 500) and second.forwarded() < 10
    # The first one's cable is cut: the datagrams in between are lost, and none after that. Linux answers for the address.
    before = traffic.lost()[0]
    traffic.pause(False)
    pair.switch.ip("link", "set", "first1", "down")
    assert eventually(lambda: second.forwarded() > 500)
    lost = traffic.lost()[0]
    assert lost > before
    traffic.pause(False)
    forwarded = first.forwarded()
    assert ping(pair.at["host"], GATEWAY, 2) == 2 and first.forwarded() == forwarded
    # It comes back: both forward, whoever has the address, and nothing is lost.
    pair.switch.ip("link", "set", "first1", "up")
    assert eventually(lambda: pair.owner() == "first" and first.forwarded() > forwarded + 500)
    assert traffic.lost()[0] == lost
